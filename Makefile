# Plumb: `make` builds ./plumb for this processor; `make help` lists the rest.

EXE     ?= plumb
PREFIX  ?= /usr/local
DESTDIR ?=
CARGO   ?= cargo
# Which processors the program is for: this one, or a level such as x86-64-v3.
CPU     ?= native
# PGO=1 builds `portable` and the levels by `make pgo`, as releases are; the processor must be able to run them.
PGO     ?=
# A network file to put into the program instead of Plumb's own in networks/; `none` leaves it without a network, and
# with the hand-crafted evaluation.
EVALFILE ?=
# An empty one would be another environment than that of cargo alone, which would build everything again.
ifneq ($(EVALFILE),)
export EVALFILE
endif

# Where manual pages and completions belong.
MANDIR  ?= $(PREFIX)/share/man/man1
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d

# Where cargo puts what it builds.
TARGET  := $(or $(CARGO_TARGET_DIR),target)

# Programs end in .exe on Windows.
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
else
SUFFIX :=
endif
NAME    := $(EXE:.exe=)
BINARY  := $(NAME)$(SUFFIX)
# Counts of a profile-guided build, and the tool that joins them (rustup component add llvm-tools).
PROFILE  = $(abspath $(TARGET))/profile
PROFDATA ?= $(shell rustc --print target-libdir)/../bin/llvm-profdata
LEVELS  := x86-64-v2 x86-64-v3 x86-64-v4

# What the program is made of: everything below src and the src of each crate, to any depth, and the files that it contains. A folder is newer
# than the program when something in it was removed.
below    = $(foreach path,$(wildcard $(1)/*),$(path) $(call below,$(path)))
SOURCES := $(wildcard Cargo.toml Cargo.lock build.rs crates/*/Cargo.toml book/* epd/*.epd networks/* $(EVALFILE)) \
    $(call below,src) $(foreach crate,$(wildcard crates/*),$(call below,$(crate)/src))

.PHONY: all pgo web test lint bench portable $(LEVELS) dist install uninstall clean help
# Cargo keeps the cores busy by itself, and two of its runs at a time would overwrite each other's program.
.NOTPARALLEL:

# The code of this processor, not of the oldest: it is faster.
all:
	@echo "The last step, of plumb-chess, is silent for some minutes: the whole program is optimised at once."
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=$(CPU))" $(CARGO) build --release --locked --bin plumb
	cp -f "$(TARGET)/release/plumb$(SUFFIX)" "$(BINARY)"

# Profile-guided optimisation: a build that counts which branches the bench takes, and one that is laid out for them.
pgo:
	@"$(PROFDATA)" --version > /dev/null || { echo "make pgo needs: rustup component add llvm-tools" >&2; exit 1; }
	$(MAKE) all EXE="$(TARGET)/counting" RUSTFLAGS="$(RUSTFLAGS) -C profile-generate=$(PROFILE)"
	rm -rf "$(PROFILE)"
	"$(TARGET)/counting$(SUFFIX)" bench
	"$(PROFDATA)" merge -o "$(PROFILE)/all.profdata" "$(PROFILE)"
	$(MAKE) all RUSTFLAGS="$(RUSTFLAGS) -C profile-use=$(PROFILE)/all.profdata"

# Plumb for JavaScript, in $(TARGET)/web: plumb.html, a page that is one file, modules for other pages, and for Node.js.
WASM = wasm32-unknown-unknown
# A stack of 8 MiB: of the usual one, 1 MiB, a line of the greatest length takes nearly all (web/speed.sh has it too).
WASM_STACK = -C link-arg=-zstack-size=8388608
HAS_WASM = rustc --print target-libdir --target $(WASM) 2> /dev/null | xargs test -d
web:
	@$(HAS_WASM) || { echo "make web needs: rustup target add $(WASM)" >&2; exit 1; }
	RUSTFLAGS="-C target-feature=+simd128 $(WASM_STACK)" $(CARGO) build --release --locked -p plumb-web --target $(WASM)
	for form in nodejs web page; do \
	    case $$form in page) out=plumb.html;; *) out=$$form;; esac; \
	    $(CARGO) run --release --locked --manifest-path web/bundle/Cargo.toml --target-dir "$(TARGET)/bundle" -- \
	        $$form "$(TARGET)/$(WASM)/release/plumb_web.wasm" "$(TARGET)/web/$$out" || exit 1; \
	done
	@echo "the page is $(TARGET)/web/plumb.html"

# Optimised, with assertions on (see [profile.test] in Cargo.toml). A failure does not hide what comes behind it. The
# examples are no tests, and each would be linked with the whole library: `make lint` compiles them.
test:
	@status=0; for what in "--lib --bins --tests" --doc; do \
	    echo "$(CARGO) test --locked --workspace --no-fail-fast $$what"; \
	    $(CARGO) test --locked --workspace --no-fail-fast $$what || status=1; \
	done; exit $$status
	@$(HAS_WASM) || echo "left out: the page in the browser (make web needs: rustup target add $(WASM))"

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

# A fixed piece of work. Its node count is the engine's signature.
bench: all
	"./$(BINARY)" bench

# For many machines: a program that runs on all of them and hands over to the best of the others beside it.
# A level that is there besides is built anew: one of an older Plumb would take over.
portable: x86-64-v2 x86-64-v3 $(if $(wildcard $(NAME)-x86-64-v4$(SUFFIX)),x86-64-v4)
	$(MAKE) $(if $(PGO),pgo,all) CPU=x86-64

$(LEVELS):
	$(MAKE) $(if $(PGO),pgo,all) CPU=$@ EXE="$(NAME)-$@$(SUFFIX)"

# Built only where it is missing or older than its sources, so that `make` and `sudo make install` needs no
# toolchain for root.
$(BINARY): $(SOURCES)
	$(MAKE) all

# The archive that a release carries: the programs that are there, what they are described by, the positions that README
# names, and the page in the browser where it is there too.
VERSION   = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
PLATFORM ?= $(shell uname -s | tr '[:upper:]' '[:lower:]')-$(shell uname -m | tr _ -)
PROGRAMS ?= $(BINARY) $(wildcard $(LEVELS:%=$(NAME)-%$(SUFFIX)))
PAGE      = $(wildcard $(TARGET)/web/plumb.html)
DIST      = plumb-$(VERSION)-$(PLATFORM)
dist: $(PROGRAMS)
	rm -rf "$(TARGET)/dist/$(DIST)"
	mkdir -p "$(TARGET)/dist/$(DIST)/docs" "$(TARGET)/dist/$(DIST)/epd"
	cp $(PROGRAMS) README.md CHANGELOG.md CONTRIBUTING.md LICENSE $(PAGE) "$(TARGET)/dist/$(DIST)"
	cp docs/*.md docs/*.svg docs/*.png "$(TARGET)/dist/$(DIST)/docs"
	cp epd/*.md epd/*.epd "$(TARGET)/dist/$(DIST)/epd"
ifeq ($(OS),Windows_NT)
	cd "$(TARGET)/dist" && rm -f "$(DIST).zip" && 7z a "$(DIST).zip" "$(DIST)"
else
	tar -czf "$(TARGET)/dist/$(DIST).tar.gz" -C "$(TARGET)/dist" "$(DIST)"
	@echo "the archive is $(TARGET)/dist/$(DIST).tar.gz"
endif

install: $(BINARY)
	mkdir -p "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(MANDIR)"
	mkdir -p "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	install -m 755 "$(BINARY)" "$(DESTDIR)$(PREFIX)/bin/plumb$(SUFFIX)"
	for level in $(wildcard $(LEVELS:%=$(NAME)-%)); do \
		install -m 755 "$$level" "$(DESTDIR)$(PREFIX)/bin/plumb-x86-64-$${level##*-}"; done
	"./$(BINARY)" manual > "$(DESTDIR)$(MANDIR)/plumb.1"
	"./$(BINARY)" completions bash > "$(DESTDIR)$(BASHDIR)/plumb"
	"./$(BINARY)" completions zsh > "$(DESTDIR)$(ZSHDIR)/_plumb"
	"./$(BINARY)" completions fish > "$(DESTDIR)$(FISHDIR)/plumb.fish"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/plumb$(SUFFIX)" $(LEVELS:%="$(DESTDIR)$(PREFIX)/bin/plumb-%")
	rm -f "$(DESTDIR)$(MANDIR)/plumb.1"
	rm -f "$(DESTDIR)$(BASHDIR)/plumb" "$(DESTDIR)$(ZSHDIR)/_plumb" "$(DESTDIR)$(FISHDIR)/plumb.fish"

clean:
	$(CARGO) clean
	rm -f "$(BINARY)" $(LEVELS:%="$(NAME)-%$(SUFFIX)")

help:
	@echo "make            build ./$(BINARY) for this processor (EXE=name for another name,"
	@echo "                CPU=x86-64-v3 and the like for other processors, EVALFILE=file for another network)"
	@echo "make pgo        the same by profile-guided optimisation: some percent faster, twice the build time"
	@echo "                (needs: rustup component add llvm-tools)"
	@echo "make portable   build for every x86-64 processor: ./$(BINARY), and faster programs beside it that"
	@echo "                it hands over to; make x86-64-v3 and the like build a single one of them"
	@echo "                (PGO=1 for profile-guided optimisation of all of these)"
	@echo "make dist       the archive of a release in $(TARGET)/dist, of the programs that are there"
	@echo "                (make portable dist: those for every x86-64 processor)"
	@echo "make web        the page $(TARGET)/web/plumb.html, and Plumb for JavaScript beside it"
	@echo "                (needs: rustup target add $(WASM))"
	@echo "make test       run the tests"
	@echo "make lint       formatting and clippy, warnings are errors"
	@echo "make bench      build and run the bench"
	@echo "make install    install to $(PREFIX), with manual page and completions (PREFIX=, DESTDIR=)"
	@echo "make uninstall  take all of that away again"
	@echo "make clean      remove what was built"
