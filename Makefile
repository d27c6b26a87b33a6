# Plumb: `make` builds ./plumb for this processor; `make help` lists the rest.

EXE     ?= plumb
PREFIX  ?= /usr/local
DESTDIR ?=
CARGO   ?= cargo

# Where cargo puts what it builds.
TARGET  := $(or $(CARGO_TARGET_DIR),target)

# Programs end in .exe on Windows.
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
else
SUFFIX :=
endif

.PHONY: all test lint bench install clean help

# The code of this processor, not of the oldest: it is faster.
all:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --release --locked --bin plumb
	cp "$(TARGET)/release/plumb$(SUFFIX)" "$(EXE:.exe=)$(SUFFIX)"

# Optimised, with assertions on (see [profile.test] in Cargo.toml).
test:
	$(CARGO) test --locked

lint:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings

# A fixed piece of work. Its node count is the engine's signature.
bench: all
	"./$(EXE:.exe=)$(SUFFIX)" bench

install: all
	mkdir -p "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$(EXE:.exe=)$(SUFFIX)" "$(DESTDIR)$(PREFIX)/bin/plumb$(SUFFIX)"

clean:
	$(CARGO) clean
	rm -f "$(EXE:.exe=)$(SUFFIX)"

help:
	@echo "make          build ./$(EXE) for this processor (EXE=name for another name)"
	@echo "make test     run the tests"
	@echo "make lint     formatting and clippy, warnings are errors"
	@echo "make bench    build and run the bench"
	@echo "make install  install to $(PREFIX)/bin (PREFIX=, DESTDIR=)"
	@echo "make clean    remove what was built"
