"""Exhaustive mate prover (AND/OR search over all legal moves, python-chess).

mates(board, n)  true if the side to move can force mate in at most n moves:
                 every attacking move and every reply is searched, so both
                 answers are proofs.  Positions are memoised, the order of moves
                 changes only the speed.  The 50-move rule and repetitions are
                 not looked at (EPD has no history; a shortest mate repeats none).
keys(board, n)   all first moves that force mate in at most n.
guided(board, n, best)  proof tree with one attacking move a node, named by the
                 callback `best`, and all legal replies: proves only "mate in <= n".
"""
import time

import chess


class OutOfTime(Exception):
    pass


class Prover:
    def __init__(self):
        self.memo = {}
        self.killers = {}
        self.deadline = None
        self.nodes = 0

    def limit(self, seconds):
        self.deadline = None if seconds is None else time.time() + seconds

    def tick(self):
        self.nodes += 1
        if self.deadline and self.nodes % 64 == 0 and time.time() > self.deadline:
            raise OutOfTime

    @staticmethod
    def checking_candidates(board):
        """A superset of the legal checking moves, without trying each."""
        king = board.king(not board.turn)
        occ = board.occupied
        own = board.occupied_co[board.turn]
        diag = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & occ]
        line = (chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & occ]
                | chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & occ])
        blockers = (diag | line) & own          # may give discovered check
        pawns = board.pawns & own
        last = chess.BB_RANK_8 | chess.BB_RANK_1
        for mask, to in (
            (blockers | board.kings & own, chess.BB_ALL),
            (board.knights & own & ~blockers, chess.BB_KNIGHT_ATTACKS[king]),
            (board.bishops & own & ~blockers, diag),
            (board.rooks & own & ~blockers, line),
            (board.queens & own & ~blockers, diag | line),
            (pawns & ~blockers, chess.BB_PAWN_ATTACKS[not board.turn][king] | last
             | (chess.BB_SQUARES[board.ep_square] if board.ep_square is not None else 0)),
        ):
            if mask:
                yield from board.generate_legal_moves(mask, to)

    def mating_moves(self, board):
        """All moves that mate at once."""
        for move in self.checking_candidates(board):
            board.push(move)
            mate = board.is_check() and not any(board.generate_legal_moves())
            board.pop()
            if mate:
                yield move

    def mates(self, board, n):
        self.tick()
        if n == 1:
            return any(True for _ in self.mating_moves(board))
        key = board._transposition_key()
        known = self.memo.get(key)              # (proven not in, proven in)
        if known is not None:
            if n <= known[0]:
                return False
            if n >= known[1]:
                return True
        no, yes = known or (0, 99)
        found = False
        if no < 1 and any(True for _ in self.mating_moves(board)):
            yes, found = 1, True
        else:
            no = max(no, 1)
            if n > 2 and self.mates(board, n - 1):      # shorter first: fills the memo
                return True
            for move in self.ordered(board):
                board.push(move)
                ok = self.lost(board, n)
                board.pop()
                if ok:
                    found = True
                    break
            if found:
                yes = n
            else:
                no = n
        self.memo[key] = (no, yes)
        return found

    @staticmethod
    def ordered(board):
        def rank(m):
            return (0 if board.gives_check(m) else 1) * 2 + (0 if board.is_capture(m) else 1)
        return sorted(board.legal_moves, key=rank)

    def lost(self, board, n):
        """Side to move (just met with the n-th last attacking move) cannot
        avoid mate: mated now, or every reply leads to mate in n - 1."""
        self.tick()
        if n == 1:
            return board.is_checkmate()
        # a reply that refuted a sister move is likely to refute this one too
        slot = (n, len(board.move_stack))
        killers = self.killers.setdefault(slot, [])
        any_reply = False
        for move in killers[:4]:
            if board.is_legal(move):
                if not self.after(board, move, n):
                    killers.remove(move)
                    killers.insert(0, move)
                    return False
        for move in board.generate_legal_moves():
            any_reply = True
            if move in killers[:4]:
                continue
            if not self.after(board, move, n):
                killers.insert(0, move)
                del killers[8:]
                return False
        return any_reply or board.is_check()    # no reply: mate or stalemate

    def after(self, board, move, n):
        board.push(move)
        ok = self.mates(board, n - 1)
        board.pop()
        return ok

    def keys(self, board, n):
        out = []
        for move in self.ordered(board):
            board.push(move)
            ok = self.lost(board, n)
            board.pop()
            if ok:
                out.append(move)
        return out

    def guided(self, board, n, best, seen=None):
        """One attacking move a node, all replies; True only if it proves."""
        seen = {} if seen is None else seen
        key = board._transposition_key()
        if seen.get(key, 99) <= n:
            return True
        self.tick()
        if any(True for _ in self.mating_moves(board)):
            seen[key] = 1
            return True
        if n == 1:
            return False
        for move in best(board, n):
            board.push(move)
            replies = list(board.legal_moves)
            ok = bool(replies) or board.is_check()
            for reply in replies:
                board.push(reply)
                ok = self.guided(board, n - 1, best, seen)
                board.pop()
                if not ok:
                    break
            board.pop()
            if ok:
                seen[key] = n
                return True
        return False


def slow_mates(board, n):
    """The plainest possible prover, to check the fast one."""
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_checkmate():
            board.pop()
            return True
        ok = False
        if n > 1 and not board.is_game_over():
            ok = True
            for reply in list(board.legal_moves):
                board.push(reply)
                ok = slow_mates(board, n - 1)
                board.pop()
                if not ok:
                    break
        board.pop()
        if ok:
            return True
    return False
