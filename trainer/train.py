#!/usr/bin/env python3
"""Trains a network on a graphics card, with PyTorch: python3 train.py FOLDERS --out FILE.net

FOLDERS are those of `plumb train --pack --out FOLDER`, each with a training.samples and a validation.samples; the
network is judged by the validation samples of the first. The loss, its gradient, AdamW, the schedule, the clipping and
the averaged weights are those of `plumb train` (src/lab/play/training); the order of the samples is another. Inputs:
768 for each king bucket, mirrored by the king's file; SCReLU; 8 output buckets. Networks with attack counts
(--attack-neurons) are left to `plumb train`.

After every epoch the network with the least loss on the validation samples so far is written, and beside it a curve
(FILE.csv). Ctrl-C leaves what the last epoch wrote.
"""
import argparse
import math
import os
import pathlib
import re
import signal
import sys
import time

try:
    import torch
except ImportError as error:
    sys.exit(f"train.py needs PyTorch (pip install torch): {error}")

NO_RESULT = 3  # the result of a position that no game has reached
BYTES = 32  # of a sample: squares that are occupied (8), pieces a half byte each (16), score (2), result (1), zeros
BLOCK = 4096  # samples that are read in one piece
INPUTS, OUTPUTS, MOST_WIDTH = 768, 8, 2048
CLIP = 1.97  # parameters stay within plus and minus this, so that the network can be quantised to 16 bits
CHUNK = 1 << 16  # samples that are checked or judged at a time
UNITS = [255, 255, 64, 255 * 64]  # whole numbers of 1 in quantised files, part by part (src/eval/network/rounding.rs)
HEADER = re.compile(
    rb"plumb network ([12]): width (\d+), activation screlu, king buckets ([14]), mirrored true, output buckets 8, "
    rb"scale ([0-9.]+)(, fingerprint [0-9a-f]{16})?\n"
)


class Failure(Exception):
    """Error that ends the training; its text is a sentence."""


def digest(numbers):
    """FNV-1a, 64 bits: the checksum of network files."""
    value = 0xCBF29CE484222325
    for byte in numbers:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def parts(width, kings):
    """Lengths of the parts of the parameters: a row for each input, biases, a row for each output bucket, biases."""
    return [kings * INPUTS * width, width, OUTPUTS * 2 * width, OUTPUTS]


def read_network(path):
    """Width, king buckets and parameters of a network file."""
    content = path.read_bytes()
    header = HEADER.match(content)
    if not header:
        raise Failure(f"{path}: no network of screlu, mirrored, with 8 output buckets and without attack neurons")
    quantised, width, kings = header[1] == b"2", int(header[2]), int(header[3])
    numbers = content[header.end() + 8 :]
    lengths = parts(width, kings)
    expected = 2 * sum(lengths) + 2 * lengths[-1] if quantised else 4 * sum(lengths)
    if width == 0 or width % 32 or width > MOST_WIDTH or len(numbers) != expected:
        raise Failure(f"{path}: {len(numbers)} bytes of weights do not fit a width of {width}")
    if digest(header[0] * quantised + numbers).to_bytes(8, "little") != content[header.end() : header.end() + 8]:
        raise Failure(f"{path}: damaged, the checksum does not match")
    if quantised:
        return width, kings, dequantised(numbers, lengths)
    parameters = torch.frombuffer(bytearray(numbers), dtype=torch.float32)
    if not parameters.isfinite().all():
        raise Failure(f"{path}: a weight is no number")
    return width, kings, parameters


def dequantised(numbers, lengths):
    """The parameters that whole numbers stand for: 2 bytes each, 4 in the last part."""
    words, last = (bytearray(part) for part in (numbers[: -4 * lengths[-1]], numbers[-4 * lengths[-1] :]))
    whole = torch.cat([torch.frombuffer(words, dtype=torch.int16).int(), torch.frombuffer(last, dtype=torch.int32)])
    return torch.cat([part.float() / unit for part, unit in zip(whole.split(lengths), UNITS)])


def write(path, content):
    """Writes a file whole or not at all."""
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    os.replace(partial, path)


def write_network(path, network, parameters):
    """Writes a network file, of these parameters."""
    line = (
        f"plumb network 1: width {network.width}, activation screlu, king buckets {network.king_buckets}, mirrored true, "
        f"output buckets 8, scale {network.scale}\n"
    )
    numbers = parameters.cpu().numpy().astype("<f4").tobytes()
    write(path, line.encode() + digest(numbers).to_bytes(8, "little") + numbers)


def unpack(samples):
    """The squares of the samples (a row of 64 booleans each) and their pieces (32 half bytes, zeros at the end)."""
    bits = torch.arange(8, device=samples.device, dtype=torch.uint8)
    occupied = (samples[:, :8, None] >> bits & 1).bool().flatten(1)
    codes = torch.stack([samples[:, 8:24] & 15, samples[:, 8:24] >> 4], 2).flatten(1)
    return occupied, codes


def open_samples(path):
    """The samples of a file, which stays on disk, after a check of each."""
    length = path.stat().st_size
    if length == 0 or length % BYTES:
        raise Failure(f"{path}: {length} bytes are no samples of {BYTES} bytes each")
    samples = torch.from_file(str(path), size=length, dtype=torch.uint8).view(-1, BYTES)
    for first in range(0, len(samples), CHUNK):
        chunk = samples[first : first + CHUNK]
        occupied, codes = unpack(chunk)
        pieces = occupied.sum(1)
        there = torch.arange(32) < pieces[:, None]
        good = (pieces <= 32) & (((codes & 7) <= 5) & there | (codes == 0) & ~there).all(1)
        for king in [5, 13]:
            good &= (codes == king).sum(1) == 1
        good &= (chunk[:, 26] <= NO_RESULT) & (chunk[:, 27:] == 0).all(1)
        if not good.all():
            wrong = first + int(good.logical_not().nonzero()[0])
            raise Failure(f"{path}: sample {wrong} is no position; `plumb train` did not write this file")
    return samples


def batches(files, size, memory, device):
    """The batches of an epoch: blocks of all files in random order, shuffled as many at a time as the memory may hold.
    The last samples, fewer than a batch, are left out."""
    blocks = [samples[first : first + BLOCK] for samples in files for first in range(0, len(samples), BLOCK)]
    order, pool = torch.randperm(len(blocks)).tolist(), files[0][:0].to(device)
    while order:
        held, order = order[: max(1, memory // BLOCK)], order[max(1, memory // BLOCK) :]
        read = torch.cat([blocks[block] for block in held])
        pool = torch.cat([pool, read.to(device)])
        pool = pool[torch.randperm(len(pool), device=device)]
        whole = len(pool) // size * size
        # A split of no samples would be a batch of none.
        yield from pool[:whole].split(size) if whole else ()
        pool = pool[whole:]


class Network:
    """The network in floating point: its parameters are one vector, in the order of the file."""

    def __init__(self, width, kings, parameters, options):
        if options.factoriser and kings == 1:
            raise Failure("--factoriser needs --king-buckets 4: one bucket has nothing to share")
        self.width, self.king_buckets, self.dtype = width, kings, torch.bfloat16 if options.bf16 else torch.float32
        self.scale, self.result_weight = options.scale, options.result
        self.parameters = parameters.to(options.device).requires_grad_()
        # What all king buckets share (factoriser): it has moments of its own and is added to all of them in every step.
        zeros = torch.zeros(INPUTS * width, device=options.device)
        self.shared = zeros.requires_grad_() if options.factoriser else None
        # The bucket of a king by its square, seen from its own side.
        squares = torch.arange(64, device=options.device)
        rank, file = squares // 8, squares % 8
        back_rank = ((file >= 2) & (file <= 5)).long()
        self.bucket = torch.where(rank == 0, back_rank, (rank + 1).clamp(max=3)) if kings == 4 else squares * 0

    def sums(self, occupied, codes, weights):
        """The sums of the first layer without its biases, a row for each perspective of each sample: those of the side
        to move, then those of the other side."""
        row, square = occupied.nonzero(as_tuple=True)
        begins = occupied.sum(1).cumsum(0) - occupied.sum(1)
        code = codes[row, torch.arange(len(row), device=row.device) - begins[row]].long()
        inputs = []
        for own in [0, 8]:
            king = square[code == own + 5] ^ 7 * own  # seen from its own side: 7 * 8 exchanges the ranks
            flip = 7 * own ^ torch.where(king % 8 >= 4, 7, 0)
            first = INPUTS * self.bucket[king ^ flip & 7]
            piece = (code ^ own) // 8 * 6 + code % 8
            inputs.append(first[row] + piece * 64 + (square ^ flip[row]))
        # Rows with a one for each input, times the weights: cards have units of their own for products of matrices.
        rows = torch.zeros(2 * len(codes), len(weights), dtype=self.dtype, device=row.device)
        rows[torch.cat([row, row + len(codes)]), torch.cat(inputs)] = 1
        return (rows @ weights.to(self.dtype)).float()

    def loss(self, samples, parameters):
        """The squared errors of the expected points, summed."""
        weights, biases, output, output_biases = parameters.split(parts(self.width, self.king_buckets))
        if self.shared is not None:
            weights = (weights.view(self.king_buckets, -1) + self.shared).flatten()
        occupied, codes = unpack(samples)
        sums = self.sums(occupied, codes, weights.view(-1, self.width)) + biases
        hidden = torch.cat(sums.clamp(0, 1).square().chunk(2), 1)
        bucket = (occupied.sum(1, keepdim=True) - 1) // 4
        outputs = (hidden @ output.view(OUTPUTS, -1).T + output_biases).gather(1, bucket).squeeze(1)
        score = samples[:, 24:26].contiguous().view(torch.int16).squeeze(1).float()
        weight = self.result_weight * (samples[:, 26] != NO_RESULT)
        target = weight * samples[:, 26] / 2 + (1 - weight) * torch.sigmoid(score / self.scale)
        return (torch.sigmoid(outputs) - target).square().sum()

    @torch.no_grad()
    def share_and_clip(self, decay):
        """Ends a step: what is shared goes into every king bucket, where it decays too, and no weight is beyond the
        clip."""
        if self.shared is not None:
            buckets = self.parameters[: self.king_buckets * len(self.shared)].view(self.king_buckets, -1)
            buckets.add_(self.shared, alpha=1 - decay)
            self.shared.zero_()
        self.parameters.clamp_(-CLIP, CLIP)

    @torch.no_grad()
    def validation(self, samples, parameters):
        """The mean loss over samples."""
        chunks = (samples[first : first + CHUNK].to(parameters.device) for first in range(0, len(samples), CHUNK))
        return sum(self.loss(chunk, parameters).item() for chunk in chunks) / len(samples)


def random_parameters(width, kings, factoriser):
    """Small random weights, spread as those of `plumb train`: with a factoriser the same for every king bucket."""
    first, second = 0.5 / math.sqrt(20), 1 / math.sqrt(2 * width)
    bounds = [first, first, second, 0.0]
    drawn = [bound * (2 * torch.rand(length) - 1) for bound, length in zip(bounds, parts(width, kings))]
    drawn[1] += 0.5
    if factoriser:
        drawn[0] = drawn[0][: INPUTS * width].repeat(kings)
    return torch.cat(drawn)


def optimiser(network, options):
    """AdamW, as one kernel where the device has that."""
    numbers = {"lr": options.rate, "betas": (0.9, 0.999), "eps": 1e-8}
    groups = [{"params": [network.parameters], "weight_decay": options.weight_decay}]
    groups += [{"params": [network.shared], "weight_decay": 0.0}] if network.shared is not None else []
    try:
        return torch.optim.AdamW(groups, fused=options.fused, **numbers)
    except RuntimeError:
        return torch.optim.AdamW(groups, **numbers)


def rate(options, step, steps):
    """The rate of a step, from 0: half a cosine from the first rate to the last."""
    done = 0.5 * (1 + math.cos(math.pi * step / max(1, steps - 1)))
    return options.last_rate + (options.rate - options.last_rate) * done


def tell(text):
    """Prints a line on standard error."""
    print(text, file=sys.stderr, flush=True)


def learn(options, network, files, adam, averaged, epoch):
    """An epoch: a step of AdamW for each batch. Returns the mean loss before the steps."""
    batches_of_one = sum(map(len, files)) // options.batch
    steps = batches_of_one * options.epochs
    least_part = min(max(1 / (0.05 * steps), 0.0001), 0.02)
    total = torch.zeros((), dtype=torch.float64, device=options.device)
    begun = told = time.monotonic()
    for done, batch in enumerate(batches(files, options.batch, options.memory, options.device)):
        step = epoch * batches_of_one + done
        lr = rate(options, step, steps)
        for group in adam.param_groups:
            group["lr"] = lr
        loss = network.loss(batch, network.parameters)
        adam.zero_grad()
        (loss / options.batch).backward()
        adam.step()
        network.share_and_clip(lr * options.weight_decay)
        with torch.no_grad():
            total += loss
            averaged.lerp_(network.parameters, max(least_part, 1 / (step + 1)))
        if time.monotonic() - told > 10:
            told = time.monotonic()
            speed = (done + 1) * options.batch / (told - begun)
            tell(f"epoch {epoch + 1}: {done + 1} of {batches_of_one} batches, {speed:,.0f} samples a second")
    return total.item() / (batches_of_one * options.batch)


def train(options, network, training, validation):
    """All epochs. Writes the network and the curve after each."""
    adam, averaged = optimiser(network, options), network.parameters.detach().clone()
    least, curve = math.inf, "epoch,training,validation,averaged\n"
    for epoch in range(options.epochs):
        begun = time.monotonic()
        learnt = learn(options, network, training, adam, averaged, epoch)
        seconds = time.monotonic() - begun
        last, mean = (network.validation(validation, of) for of in (network.parameters.detach(), averaged))
        if not math.isfinite(learnt + last + mean):
            raise Failure("the loss is no number any more; a smaller --rate may help")
        losses = f"loss {learnt:.6f}, validation {last:.6f}, averaged {mean:.6f}"
        tell(f"epoch {epoch + 1}: {losses}, {seconds:.1f} s")
        if min(last, mean) < least:
            least = min(last, mean)
            write_network(options.out, network, network.parameters.detach() if last < mean else averaged)
        curve += f"{epoch + 1},{learnt},{last},{mean}\n"
        write(options.out.with_suffix(".csv"), curve.encode())


def number(least, most, kind=float):
    """Reads a number within a range."""

    def read(text):
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least} to {most}")
        return value

    read.__name__ = kind.__name__  # argparse names it where the text is no number
    return read


def arguments():
    """The words of the command line."""
    first, _, rest = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(
        description=first.split(":")[0] + ".", epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    path, tiny = pathlib.Path, 1e-12
    parser.add_argument("folders", type=path, nargs="+", metavar="FOLDER", help="packed samples of `plumb train`")
    parser.add_argument("--out", type=path, required=True, metavar="FILE.net", help="network to be written")
    parser.add_argument("--start", type=path, metavar="FILE.net", help="network whose weights and width to begin with")
    parser.add_argument("--width", type=number(32, MOST_WIDTH, int), help="neurons, a multiple of 32 [128]")
    parser.add_argument("--king-buckets", type=int, choices=[1, 4], help="king buckets [1]")
    parser.add_argument("--factoriser", action="store_true", help="king buckets share what is the same in all of them")
    parser.add_argument("--result", type=number(0, 1), default=0.1, help="weight of the game result [%(default)s]")
    parser.add_argument("--scale", type=number(1, 10000), default=400.0, help="scale of the sigmoid [%(default)s]")
    parser.add_argument("--epochs", type=number(1, 10000, int), default=30, help="[%(default)s]")
    parser.add_argument("--batch", type=number(1, 1 << 24, int), default=65536, help="samples [%(default)s]")
    parser.add_argument("--rate", type=number(tiny, 10), default=0.004, help="first learning rate [%(default)s]")
    parser.add_argument("--last-rate", type=number(tiny, 10), default=0.00001, help="last one [%(default)s]")
    parser.add_argument("--weight-decay", type=number(0, 1), default=0.0, help="of AdamW [%(default)s]")
    parser.add_argument("--memory", type=number(1, 1 << 24, int), default=2048, help="MiB of samples [%(default)s]")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="[%(default)s]")
    parser.add_argument("--bf16", action="store_true", help="products and sums of the first layer in bfloat16")
    parser.add_argument("--no-fused", dest="fused", action="store_false", help="AdamW in several kernels")
    parser.add_argument("--seed", type=number(0, (1 << 63) - 1, int), default=1995, help="[%(default)s]")
    options = parser.parse_args()
    if options.width and options.width % 32:
        parser.error(f"a width of {options.width} is no multiple of 32")
    if options.out.suffix != ".net":
        parser.error(f"--out {options.out}: the name of a network ends in .net")
    options.last_rate = min(options.last_rate, options.rate)
    options.memory = options.memory * (1 << 20) // BYTES
    return options


def first_network(options):
    """The network before the first step: random, or that of --start."""
    if not options.start:
        width, kings = options.width or 128, options.king_buckets or 1
        return Network(width, kings, random_parameters(width, kings, options.factoriser), options)
    width, kings, parameters = read_network(options.start)
    if width != (options.width or width) or kings != (options.king_buckets or kings):
        raise Failure(f"{options.start}: width {width} and {kings} king buckets; `plumb train` can widen it")
    return Network(width, kings, parameters, options)


def main():
    options = arguments()
    for path in [options.out, options.out.with_suffix(".csv")]:
        if path.exists():
            raise Failure(f"{path} exists already")
    if not options.out.parent.is_dir():
        raise Failure(f"{options.out.parent} is no folder")
    if options.device == "cuda" and not torch.cuda.is_available():
        raise Failure("PyTorch finds no card: --device cpu")
    torch.manual_seed(options.seed)
    network = first_network(options)
    training = [open_samples(folder / "training.samples") for folder in options.folders]
    validation = open_samples(options.folders[0] / "validation.samples")
    learnt = sum(map(len, training))
    if learnt < options.batch:
        raise Failure(f"{learnt} samples are too few for a batch of {options.batch}")
    tell(f"{learnt:,} samples to learn from, {len(validation):,} for validation")
    train(options, network, training, validation)


if __name__ == "__main__":
    # Shells let what they start in the background ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        tell("interrupted: what the last whole epoch wrote is left")
        sys.exit(130)
    except (Failure, OSError, torch.OutOfMemoryError) as failure:
        tell(f"train.py: {failure}")
        sys.exit(1)
