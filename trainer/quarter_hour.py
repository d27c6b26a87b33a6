#!/usr/bin/env python3
"""A quarter of an hour with a graphics card: python3 quarter_hour.py --plumb PLUMB --out FOLDER

For a machine with a card and many cores that is there for minutes. All cores play games with `plumb datagen`, round by
round, while the card learns from the rounds before, which tells its speed; then each width learns from all games in as
many epochs as there is time for, and the networks meet the one inside PLUMB and the opponents in a round robin.

FOLDER gets, for each width, WIDTH.net and WIDTH.csv (the curve); losses by the number of pieces, the table of the match,
its games in PGN and log.txt. What is there at the end of a step stays, whatever becomes of the next; the time is that of
--seconds. Needs PyTorch and numpy; the games are made by seeds, so that they can be made again.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
# Where in the whole time the games end, the networks are learnt, and all ends but what the match prints.
GAMES_END, LEARNT, MATCH_END = 0.5, 0.72, 0.97
ROUNDS = 4
EPOCHS = re.compile(r"epoch 1: loss .*, ([0-9.]+) s$", re.MULTILINE)
SAMPLES = re.compile(r"([0-9,]+) samples to learn from")


class Failure(Exception):
    """Why nothing can go on, in a sentence."""


class Run:
    """The clock, the log, and the programs that run."""

    def __init__(self, options):
        self.options, self.begun, self.children = options, time.monotonic(), set()
        self.log = open(options.out / "log.txt", "w", encoding="utf-8")
        self.lock = threading.Lock()
        self.ended = False

    def seconds(self):
        """Seconds since the beginning."""
        return time.monotonic() - self.begun

    def left_until(self, part):
        """Seconds until a part of the whole time, at least one."""
        return max(1.0, part * self.options.seconds - self.seconds())

    def tell(self, text):
        """Says something, on standard error and in the log."""
        with self.lock:
            for line in text.strip().splitlines():
                print(f"{self.seconds():6.1f} s  {line}", file=sys.stderr, flush=True)
                print(f"{self.seconds():6.1f} s  {line}", file=self.log, flush=True)

    def run(self, what, words, patience):
        """Runs a program; after its time it is asked to end, as by Ctrl-C, which all of them know. Returns what it said
        on both outputs, or None where it failed, which is told, or where all has ended."""
        if self.ended:
            return None
        words = [str(word) for word in words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "stdin": subprocess.DEVNULL}
        with subprocess.Popen(words, **pipes) as child:
            self.children.add(child)
            cut = False
            try:
                out, err = child.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                cut = True
                child.send_signal(signal.SIGINT)
                try:
                    out, err = child.communicate(timeout=20)
                except subprocess.TimeoutExpired:
                    child.kill()
                    out, err = child.communicate()
            self.children.discard(child)
        with self.lock:
            print(f"$ {' '.join(words)}\n{out}{err}", file=self.log, flush=True)
        if child.returncode not in (0, 130) and not (cut and child.returncode in (-2, -9)):
            self.tell(f"{what}: exit code {child.returncode}: {(err.strip() or out.strip())[-300:]}")
            return None
        return out, err

    def end(self):
        """Ends what still runs; nothing begins any more."""
        self.ended = True
        for child in list(self.children):
            child.kill()


class Campaign:
    """The steps: each leaves what the next ones need, or says why not."""

    def __init__(self, run, work):
        self.run, self.options, self.work = run, run.options, work
        self.judged, self.few = work / "validation.vf", work / "few.vf"
        self.packed, self.packing = [], []
        # Samples a second that the card learns, by width.
        self.speed = {}

    def plumb(self, what, words, patience):
        """Runs a command of the engine."""
        return self.run.run(what, [self.options.plumb, *words], patience)

    def datagen(self, out, seed, games, patience):
        """Games of one seed."""
        words = ["datagen", "--nodes", self.options.nodes, "--games", games, "--seed", seed, "--out", out]
        said = self.plumb(f"games of seed {seed}", [*words, "--jobs", self.options.jobs], patience)
        return said is not None and out.exists() and out.stat().st_size > 0

    def pack(self, games, name):
        """Packs games into a folder of samples, beside everything else."""

        def work():
            folder = self.work / name
            words = ["train", games, "--validation", self.judged, "--out", folder, "--pack"]
            said = self.plumb(f"packing {name}", words, self.run.left_until(LEARNT))
            found = said and SAMPLES.search(said[1])
            if found:
                self.run.tell(f"{name}: {found[1]} samples")
                self.packed.append((folder, int(found[1].replace(",", ""))))

        thread = threading.Thread(target=work)
        thread.start()
        self.packing.append(thread)

    def play_and_learn(self):
        """Rounds of games; what is packed is learnt beside them."""
        if not self.datagen(self.judged, self.options.seed, self.options.validation, self.run.left_until(0.1)):
            raise Failure("there are no games for validation")
        self.datagen(self.few, self.options.seed + ROUNDS + 1, 200, self.run.left_until(0.12))
        for number, games in enumerate(self.options.games, 1):
            self.pack(games, f"brought-{number}")
        early = None
        for number in range(1, ROUNDS + 1):
            games, seed = self.work / f"round-{number}.vf", self.options.seed + number
            rest = self.run.left_until(GAMES_END) / (ROUNDS + 1 - number)
            if self.datagen(games, seed, 100_000_000, rest):
                self.pack(games, f"round-{number}")
            if early is None and self.packed:
                early = threading.Thread(target=self.measure)
                early.start()
        for thread in self.packing:
            thread.join()
        if early is None:
            self.measure()
        else:
            early.join()

    def learn(self, width, folders, out, epochs, patience):
        """Trains a network of a width; what the trainer said."""
        words = [sys.executable, HERE / "train.py", *folders, "--out", out, "--width", width, "--epochs", epochs]
        words += ["--king-buckets", self.options.king_buckets, "--device", self.options.device]
        words += ["--factoriser"] if self.options.king_buckets > 1 else []
        words += ["--batch", self.options.batch, "--rate", self.options.rate]
        words += ["--bf16"] if self.options.device == "cuda" else []
        return self.run.run(f"learning with {width} neurons", words, patience)

    def measure(self):
        """An epoch by each width, of the first samples: how fast it is, and a network in any case."""
        if not self.packed:
            return
        folder, samples = max(self.packed, key=lambda packed: packed[1])
        for width in self.options.widths:
            out = self.work / f"early-{width}.net"
            said = self.learn(width, [folder], out, 1, self.run.left_until(LEARNT - 0.1))
            took = said and EPOCHS.search(said[1])
            if took:
                self.speed[width] = samples / max(float(took[1]), 0.01)
                self.run.tell(f"{width} neurons: {self.speed[width]:,.0f} samples a second")
                self.keep(width, out)

    def keep(self, width, network):
        """Normalises the scale of a network, by a training that changes nothing else, and keeps it with its curve and
        its losses."""
        folder = self.work / f"judged-{network.stem}"
        words = ["train", self.few, "--validation", self.judged, "--out", folder, "--start", network]
        words += ["--width", width, "--king-buckets", self.options.king_buckets, "--no-fit"]
        words += ["--epochs", 1, "--rate", "1e-9", "--last-rate", "1e-9", "--batch", 256, "--jobs", self.options.jobs]
        said = self.plumb(f"judging {network.stem}", words, self.run.left_until(MATCH_END - 0.1))
        if said is not None and (folder / "best.net").exists():
            shutil.copy(folder / "best.net", self.options.out / f"{width}.net")
            shutil.copy(network.with_suffix(".csv"), self.options.out / f"{width}.csv")
            (self.options.out / f"{width}-losses.md").write_text(said[0], encoding="utf-8")

    def learn_all(self):
        """Each width learns from all samples, in as many epochs as there is time for."""
        for number, width in enumerate(self.options.widths):
            # A fifth is for reading, checks and validation.
            rest = self.run.left_until(LEARNT) / (len(self.options.widths) - number)
            room = int(0.8 * rest * self.speed.get(width, 0))
            folders, samples = [], 0
            for folder, more in sorted(self.packed, key=lambda packed: -packed[1]):
                if samples + more <= room:
                    folders, samples = [*folders, folder], samples + more
            if not folders:
                self.run.tell(f"{width} neurons: no time for an epoch of more samples")
                continue
            epochs = min(self.options.epochs, room // samples)
            out = self.work / f"{width}.net"
            self.run.tell(f"{width} neurons: {epochs} epochs of {samples:,} samples")
            if self.learn(width, folders, out, epochs, rest) is not None and out.exists():
                self.keep(width, out)

    def play(self):
        """A round robin of the networks, the one inside the program and the opponents."""
        networks = [width for width in self.options.widths if (self.options.out / f"{width}.net").exists()]
        if not networks:
            raise Failure("no network was learnt")
        engine = "Backend=" + self.options.backend
        players = [f"{engine},name=inside"]
        players += [f"{engine},EvalFile={self.options.out / f'{width}.net'},name=w{width}" for width in networks]
        words = ["tournament", *players, *self.options.opponent, "--games", self.options.match_games]
        words += ["--tc", self.options.tc] if self.options.tc else ["--nodes", self.options.match_nodes]
        words += ["--jobs", max(1, self.options.jobs - 2), "--seed", self.options.seed]
        words += ["--record", self.work / "match.record", "--pgn", self.options.out / "match.pgn"]
        said = self.plumb("the match", words, self.run.left_until(MATCH_END))
        if said is not None:
            (self.options.out / "match.md").write_text(said[0], encoding="utf-8")
            self.run.tell(said[0])


def arguments():
    """The words of the command line."""
    first, _, rest = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(
        description=first.split(":")[0] + ".", epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    path, cores = pathlib.Path, os.cpu_count() or 1
    numbers = lambda text: [int(word) for word in text.split(",")]
    parser.add_argument("--plumb", type=path, required=True, help="the engine, built for this machine")
    parser.add_argument("--out", type=path, required=True, metavar="FOLDER", help="new folder for all results")
    parser.add_argument("--games", type=path, nargs="*", default=[], help="games of `plumb datagen` brought along")
    parser.add_argument("--seconds", type=float, default=540.0, help="for everything [%(default)s]")
    parser.add_argument("--widths", type=numbers, default=[256, 512], help="neurons [256,512]")
    parser.add_argument("--king-buckets", type=int, choices=[1, 4], default=4, help="[%(default)s]")
    parser.add_argument("--epochs", type=int, default=12, help="at most [%(default)s]")
    parser.add_argument("--batch", type=int, default=16384, help="samples [%(default)s]")
    parser.add_argument("--rate", type=float, default=0.004, help="first learning rate [%(default)s]")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda", help="[%(default)s]")
    parser.add_argument("--nodes", type=int, default=50, help="of a move of the games to learn from [%(default)s]")
    parser.add_argument("--validation", type=int, default=5000, help="games to judge by [%(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="of the first games [%(default)s]")
    parser.add_argument("--jobs", type=int, default=cores, help="cores [%(default)s]")
    parser.add_argument("--backend", default="NegaScout", help="that plays the match [%(default)s]")
    parser.add_argument("--opponent", action="append", default=[], help="a player of `plumb tournament`: cmd=PROGRAM")
    parser.add_argument("--match-games", type=int, default=60, help="of every two players [%(default)s]")
    parser.add_argument("--tc", help="clock of the match, as 2+0.02")
    parser.add_argument("--match-nodes", type=int, default=8000, help="a move of the match without --tc [%(default)s]")
    parser.add_argument("--work", type=path, metavar="FOLDER", help="for games and samples, kept [a temporary one]")
    return parser.parse_args()


def main():
    options = arguments()
    if options.out.exists():
        raise Failure(f"{options.out} exists already")
    for file in [options.plumb, *options.games]:
        if not file.is_file():
            raise Failure(f"{file} is no file")
    # With its folder: a name alone would be looked for in PATH.
    options.plumb = options.plumb.resolve()
    if shutil.which(options.plumb) is None:
        raise Failure(f"{options.plumb} is no program")
    options.out.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="quarter-hour-") as temporary:
        work = options.work or pathlib.Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        run = Run(options)
        campaign = Campaign(run, work)
        try:
            campaign.play_and_learn()
            campaign.learn_all()
            campaign.play()
        finally:
            run.end()
            run.tell("the end")


if __name__ == "__main__":
    # Shells let what they start in the background ignore it, and programs that this one starts inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except (Failure, OSError) as failure:
        print(f"quarter_hour.py: {failure}", file=sys.stderr)
        sys.exit(1)
