"""Move lists (SAN) of famous historical games, written down from memory.

Each entry: (White, Black, place, year, result, moves).  Used by make_games.py
(epd/games.epd) and make_mates.py (epd/mates.epd); `load()` checks every move
with python-chess and fails on the first illegal or wrongly written one.
"""

import chess


GAMES = [
("Morphy", "Duke of Brunswick and Count Isouard", "Paris", 1858, "1-0", """
e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5
Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"""),
("Anderssen", "Kieseritzky", "London", 1851, "1-0", """
e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1
cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6
Nxg7+ Kd8 Qf6+ Nxf6 Be7#"""),
("Anderssen", "Dufresne", "Berlin", 1852, "1-0", """
e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3
b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+
Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#"""),
("Rotlewi", "Rubinstein", "Lodz", 1907, "0-1", """
d4 d5 Nf3 e6 e3 c5 c4 Nc6 Nc3 Nf6 dxc5 Bxc5 a3 a6 b4 Bd6 Bb2 O-O Qd2 Qe7 Bd3 dxc4
Bxc4 b5 Bd3 Rd8 Qe2 Bb7 O-O Ne5 Nxe5 Bxe5 f4 Bc7 e4 Rac8 e5 Bb6+ Kh1 Ng4 Be4 Qh4
g3 Rxc3 gxh4 Rd2 Qxd2 Bxe4+ Qg2 Rh3"""),
("Lasker", "Bauer", "Amsterdam", 1889, "1-0", """
f4 d5 e3 Nf6 b3 e6 Bb2 Be7 Bd3 b6 Nf3 Bb7 Nc3 Nbd7 O-O O-O Ne2 c5 Ng3 Qc7 Ne5 Nxe5
Bxe5 Qc6 Qe2 a6 Nh5 Nxh5 Bxh7+ Kxh7 Qxh5+ Kg8 Bxg7 Kxg7 Qg4+ Kh7 Rf3 e5 Rh3+ Qh6
Rxh6+ Kxh6 Qd7 Bf6 Qxb7 Kg7 Rf1 Rab8 Qd7 Rfd8 Qg4+ Kf8 fxe5 Bg7 e6 Rb7 Qg6 f6
Rxf6+ Bxf6 Qxf6+ Ke8 Qh8+ Ke7 Qg7+"""),
("Steinitz", "von Bardeleben", "Hastings", 1895, "1-0", """
e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 d5 exd5 Nxd5 O-O Be6 Bg5 Be7
Bxd5 Bxd5 Nxd5 Qxd5 Bxe7 Nxe7 Re1 f6 Qe2 Qd7 Rac1 c6 d5 cxd5 Nd4 Kf7 Ne6 Rhc8 Qg4
g6 Ng5+ Ke8 Rxe7+ Kf8 Rf7+ Kg8 Rg7+ Kh8 Rxh7+"""),
("D. Byrne", "Fischer", "New York", 1956, "0-1", """
Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7 Rd1 Nb6 Qc5 Bg4 Bg5
Na4 Qa3 Nxc3 bxc3 Nxe4 Bxe7 Qb6 Bc4 Nxc3 Bc5 Rfe8+ Kf1 Be6 Bxb6 Bxc4+ Kg1 Ne2+ Kf1
Nxd4+ Kg1 Ne2+ Kf1 Nc3+ Kg1 axb6 Qb4 Ra4 Qxb6 Nxd1 h3 Rxa2 Kh2 Nxf2 Re1 Rxe1 Qd8+
Bf8 Nxe1 Bd5 Nf3 Ne4 Qb8 b5 h4 h5 Ne5 Kg7 Kg1 Bc5+ Kf1 Ng3+ Ke1 Bb4+ Kd1 Bb3+ Kc1
Ne2+ Kb1 Nc3+ Kc1 Rc2#"""),
("Botvinnik", "Capablanca", "AVRO Rotterdam", 1938, "1-0", """
d4 Nf6 c4 e6 Nc3 Bb4 e3 d5 a3 Bxc3+ bxc3 c5 cxd5 exd5 Bd3 O-O Ne2 b6 O-O Ba6 Bxa6
Nxa6 Bb2 Qd7 a4 Rfe8 Qd3 c4 Qc2 Nb8 Rae1 Nc6 Ng3 Na5 f3 Nb3 e4 Qxa4 e5 Nd7 Qf2 g6
f4 f5 exf6 Nxf6 f5 Rxe1 Rxe1 Re8 Re6 Rxe6 fxe6 Kg7 Qf4 Qe8 Qe5 Qe7 Ba3 Qxa3 Nh5+
gxh5 Qg5+ Kf8 Qxf6+ Kg8 e7 Qc1+ Kf2 Qc2+ Kg3 Qd3+ Kh4 Qe4+ Kxh5 Qe2+ Kh4 Qe4+ g4
Qe1+ Kh5"""),
("Reti", "Tartakower", "Vienna", 1910, "1-0", """
e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4 Qd8+ Kxd8 Bg5+
Kc7 Bd8#"""),
("Kasparov", "Topalov", "Wijk aan Zee", 1999, "1-0", """
e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O
Qe7 Kb1 a6 Nc1 O-O-O Nb3 exd4 Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7 Rhe1
d4 Nd5 Nbxd5 exd5 Qd6 Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3 Qxd5 Ra7 Bb7 Rxb7
Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 c3+ Kxc3 Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4
Qxh8 Rd3 Qa8 c3 Qa4+ Ke1 f4 f5 Kc1 Rd2 Qa7"""),
("Capablanca", "Marshall", "New York", 1918, "1-0", """
e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5 exd5 Nxd5 Nxe5 Nxe5 Rxe5
Nf6 Re1 Bd6 h3 Ng4 Qf3 Qh4 d4 Nxf2 Re2 Bg4 hxg4 Bh2+ Kf1 Bg3 Rxf2 Qh1+ Ke2 Bxf2
Bd2 Bh4 Qh3 Rae8+ Kd3 Qf1+ Kc2 Bf2 Qf3 Qg1 Bd5 c5 dxc5 Bxc5 b4 Bd6 a4 a5 axb5 axb4
Ra6 bxc3 Nxc3 Bb4 b6 Bxc3 Bxc3 h6 b7 Re3 Bxf7+"""),
("Capablanca", "Tartakower", "New York", 1924, "1-0", """
d4 e6 Nf3 f5 c4 Nf6 Bg5 Be7 Nc3 O-O e3 b6 Bd3 Bb7 O-O Qe8 Qe2 Ne4 Bxe7 Nxc3 bxc3
Qxe7 a4 Bxf3 Qxf3 Nc6 Rfb1 Rae8 Qh3 Rf6 f4 Na5 Qf3 d6 Re1 Qd7 e4 fxe4 Qxe4 g6 g3
Kf8 Kg2 Rf7 h4 d5 cxd5 exd5 Qxe8+ Qxe8 Rxe8+ Kxe8 h5 Rf6 hxg6 hxg6 Rh1 Kf8 Rh7 Rc6
g4 Nc4 g5 Ne3+ Kf3 Nf5 Bxf5 gxf5 Kg3 Rxc3+ Kh4 Rf3 g6 Rxf4+ Kg5 Re4 Kf6 Kg8 Rg7+
Kh8 Rxc7 Re8 Kxf5 Re4 Kf6 Rf4+ Ke5 Rg4 g7+ Kg8 Rxa7 Rg1 Kxd5 Rc1 Kd6 Rc2 d5 Rc1
Rc7 Ra1 Kc6 Rxa4 d6"""),
("Saemisch", "Nimzowitsch", "Copenhagen", 1923, "0-1", """
d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Be7 Nc3 O-O O-O d5 Ne5 c6 cxd5 cxd5 Bf4 a6 Rc1 b5
Qb3 Nc6 Nxc6 Bxc6 h3 Qd7 Kh2 Nh5 Bd2 f5 Qd1 b4 Nb1 Bb5 Rg1 Bd6 e4 fxe4 Qxh5 Rxf2
Qg5 Raf8 Kh1 R8f5 Qe3 Bd3 Rce1 h6"""),
("Short", "Timman", "Tilburg", 1991, "1-0", """
e4 Nf6 e5 Nd5 d4 d6 Nf3 g6 Bc4 Nb6 Bb3 Bg7 Qe2 Nc6 O-O O-O h3 a5 a4 dxe5 dxe5 Nd4
Nxd4 Qxd4 Re1 e6 Nd2 Nd5 Nf3 Qc5 Qe4 Qb4 Bc4 Nb6 b3 Nxc4 bxc4 Re8 Rd1 Qc5 Qh4 b6
Be3 Qc6 Bh6 Bh8 Rd8 Bb7 Rad1 Bg7 R8d7 Rf8 Bxg7 Kxg7 R1d4 Rae8 Qf6+ Kg8 h4 h5 Kh2
Rc8 Kg3 Rce8 Kf4 Bc8 Kg5"""),
("Deep Blue", "Kasparov", "New York", 1997, "1-0", """
e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7 Ng5 Ngf6 Bd3 e6 N1f3 h6 Nxe6 Qe7 O-O fxe6 Bg6+ Kd8
Bf4 b5 a4 Bb7 Re1 Nd5 Bg3 Kc8 axb5 cxb5 Qd3 Bc6 Bf5 exf5 Rxe7 Bxe7 c4"""),
("E. Adams", "Torre", "New Orleans", 1920, "1-0", """
e4 e5 Nf3 d6 d4 exd4 Qxd4 Nc6 Bb5 Bd7 Bxc6 Bxc6 Nc3 Nf6 O-O Be7 Nd5 Bxd5 exd5 O-O
Bg5 c6 c4 cxd5 cxd5 Re8 Rfe1 a5 Re2 Rc8 Rae1 Qd7 Bxf6 Bxf6 Qg4 Qb5 Qc4 Qd7 Qc7 Qb5
a4 Qxa4 Re4 Qb5 Qxb7"""),
("Bernstein", "Capablanca", "Moscow", 1914, "0-1", """
d4 d5 c4 e6 Nc3 Nf6 Nf3 Be7 Bg5 O-O e3 Nbd7 Rc1 b6 cxd5 exd5 Qa4 Bb7 Ba6 Bxa6 Qxa6
c5 Bxf6 Nxf6 dxc5 bxc5 O-O Qb6 Qe2 c4 Rfd1 Rfd8 Nd4 Bb4 b3 Rac8 bxc4 dxc4 Rc2 Bxc3
Rxc3 Nd5 Rc2 c3 Rdc1 Rc5 Nb3 Rc6 Nd4 Rc7 Nb5 Rc5 Nxc3 Nxc3 Rxc3 Rxc3 Rxc3 Qb2"""),
("Paulsen", "Morphy", "New York", 1857, "0-1", """
e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 Bc5 O-O O-O Nxe5 Re8 Nxc6 dxc6 Bc4 b5 Be2 Nxe4 Nxe4 Rxe4
Bf3 Re6 c3 Qd3 b4 Bb6 a4 bxa4 Qxa4 Bd7 Ra2 Rae8 Qa6 Qxf3 gxf3 Rg6+ Kh1 Bh3 Rd1
Bg2+ Kg1 Bxf3+ Kf1 Bg2+ Kg1 Bh3+ Kh1 Bxf2 Qf1 Bxf1 Rxf1 Re2 Ra1 Rh6 d4 Be3"""),
("Zukertort", "Blackburne", "London", 1883, "1-0", """
c4 e6 e3 Nf6 Nf3 b6 Be2 Bb7 O-O d5 d4 Bd6 Nc3 O-O b3 Nbd7 Bb2 Qe7 Nb5 Ne4 Nxd6 cxd6
Nd2 Ndf6 f3 Nxd2 Qxd2 dxc4 Bxc4 d5 Bd3 Rfc8 Rae1 Rc7 e4 Rac8 e5 Ne8 f4 g6 Re3 f5
exf6 Nxf6 f5 Ne4 Bxe4 dxe4 fxg6 Rc2 gxh7+ Kh8 d5+ e5 Qb4 R8c5 Rf8+ Kxh7 Qxe4+ Kg7
Bxe5+ Kxf8 Bg7+ Kg8 Qxe7"""),
("Levitsky", "Marshall", "Breslau", 1912, "0-1", """
e4 e6 d4 d5 Nc3 c5 Nf3 Nc6 exd5 exd5 Be2 Nf6 O-O Be7 Bg5 O-O dxc5 Be6 Nd4 Bxc5 Nxe6
fxe6 Bg4 Qd6 Bh3 Rae8 Qd2 Bb4 Bxf6 Rxf6 Rad1 Qc5 Qe2 Bxc3 bxc3 Qxc3 Rxd5 Nd4 Qh5
Ref8 Re5 Rh6 Qg5 Rxh3 Rc5 Qg3"""),
("Spassky", "Bronstein", "Leningrad", 1960, "1-0", """
e4 e5 f4 exf4 Nf3 d5 exd5 Bd6 Nc3 Ne7 d4 O-O Bd3 Nd7 O-O h6 Ne4 Nxd5 c4 Ne3 Bxe3
fxe3 c5 Be7 Bc2 Re8 Qd3 e2 Nd6 Nf8 Nxf7 exf1=Q+ Rxf1 Bf5 Qxf5 Qd7 Qf4 Bf6 N3e5 Qe7
Bb3 Bxe5 Nxe5+ Kh7 Qe4+"""),
("Fischer", "Spassky", "Reykjavik", 1972, "1-0", """
c4 e6 Nf3 d5 d4 Nf6 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5 Rc1
Be6 Qa4 c5 Qa3 Rc8 Bb5 a6 dxc5 bxc5 O-O Ra7 Be2 Nd7 Nd4 Qf8 Nxe6 fxe6 e4 d4 f4 Qe7
e5 Rb8 Bc4 Kh8 Qh3 Nf8 b3 a5 f5 exf5 Rxf5 Nh7 Rcf1 Qd8 Qg3 Re7 h4 Rbb7 e6 Rbc7 Qe5
Qe8 a4 Qd8 R1f2 Qe8 R2f3 Qd8 Bd3 Qe8 Qe4 Nf6 Rxf6 gxf6 Rxf6 Kg8 Bc4 Kh8 Qf4"""),
("R. Byrne", "Fischer", "New York", 1963, "0-1", """
d4 Nf6 c4 g6 g3 c6 Bg2 d5 cxd5 cxd5 Nc3 Bg7 e3 O-O Nge2 Nc6 O-O b6 b3 Ba6 Ba3 Re8
Qd2 e5 dxe5 Nxe5 Rfd1 Nd3 Qc2 Nxf2 Kxf2 Ng4+ Kg1 Nxe3 Qd2 Nxg2 Kxg2 d4 Nxd4 Bb7+
Kf1 Qd7"""),
("Ed. Lasker", "Thomas", "London", 1912, "1-0", """
d4 e6 Nf3 f5 Nc3 Nf6 Bg5 Be7 Bxf6 Bxf6 e4 fxe4 Nxe4 b6 Ne5 O-O Bd3 Bb7 Qh5 Qe7
Qxh7+ Kxh7 Nxf6+ Kh6 Neg4+ Kg5 h4+ Kf4 g3+ Kf3 Be2+ Kg2 Rh2+ Kg1 Kd2#"""),
("Capablanca", "Steiner", "Los Angeles", 1933, "1-0", """
e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 Bb4 O-O O-O d3 d6 Bg5 Bxc3 bxc3 Ne7 Nh4 c6 Bc4 Be6 Bxf6
gxf6 Bxe6 fxe6 Qg4+ Kf7 f4 Rg8 Qh5+ Kg7 fxe5 dxe5 Rxf6 Kxf6 Rf1+ Nf5 Nxf5 exf5
Rxf5+ Ke7 Qf7+ Kd6 Rf6+ Kc5 Qxb7 Qb6 Rxc6+ Qxc6 Qb4#"""),
("Polugaevsky", "Nezhmetdinov", "Sochi", 1958, "0-1", """
d4 Nf6 c4 d6 Nc3 e5 e4 exd4 Qxd4 Nc6 Qd2 g6 b3 Bg7 Bb2 O-O Bd3 Ng4 Nge2 Qh4 Ng3
Nge5 O-O f5 f3 Bh6 Qd1 f4 Nge2 g5 Nd5 g4 g3 fxg3 hxg3 Qh3 f4 Be6 Bc2 Rf7 Kf2 Qh2+
Ke3 Bxd5 cxd5 Nb4 Rh1 Rxf4 Rxh2 Rf3+ Kd4 Bg7 a4 c5+ dxc6 bxc6 Bd3 Nexd3+ Kc4 d5+
exd5 cxd5+ Kb5 Rb8+ Ka5 Nc6+"""),
("Reti", "Alekhine", "Baden-Baden", 1925, "0-1", """
g3 e5 Nf3 e4 Nd4 d5 d3 exd3 Qxd3 Nf6 Bg2 Bb4+ Bd2 Bxd2+ Nxd2 O-O c4 Na6 cxd5 Nb4
Qc4 Nbxd5 N2b3 c6 O-O Re8 Rfd1 Bg4 Rd2 Qc8 Nc5 Bh3 Bf3 Bg4 Bg2 Bh3 Bf3 Bg4 Bh1 h5
b4 a6 Rc1 h4 a4 hxg3 hxg3 Qc7 b5 axb5 axb5 Re3 Nf3 cxb5 Qxb5 Nc3 Qxb7 Qxb7 Nxb7
Nxe2+ Kh2 Ne4 Rc4 Nxf2 Bg2 Be6 Rcc2 Ng4+ Kh3 Ne5+ Kh2 Rxf3 Rxe2 Ng4+ Kh3 Ne3+ Kh2
Nxc2 Bxf3 Nd4"""),
("Bogoljubov", "Alekhine", "Hastings", 1922, "0-1", """
d4 f5 c4 Nf6 g3 e6 Bg2 Bb4+ Bd2 Bxd2+ Nxd2 Nc6 Ngf3 O-O O-O d6 Qb3 Kh8 Qc3 e5 e3 a5
b3 Qe8 a3 Qh5 h4 Ng4 Ng5 Bd7 f3 Nf6 f4 e4 Rfd1 h6 Nh3 d5 Nf1 Ne7 a4 Nc6 Rd2 Nb4 Bh1
Qe8 Rg2 dxc4 bxc4 Bxa4 Nf2 Bd7 Nd2 b5 Nd1 Nd3 Rxa5 b4 Rxa8 bxc3 Rxe8 c2 Rxf8+ Kh7
Nf2 c1=Q+ Nf1 Ne1 Rh2 Qxc4 Rb8 Bb5 Rxb5 Qxb5 g4 Nf3+ Bxf3 exf3 gxf5 Qe2 d5 Kg8 h5
Kh7 e4 Nxe4 Nxe4 Qxe4 d6 cxd6 f6 gxf6 Rd2 Qe2 Rxe2 fxe2 Kf2 exf1=Q+ Kxf1 Kg7 Ke2
Kf7 Ke3 Ke6 Ke4 d5+"""),
("Lasker", "Capablanca", "St Petersburg", 1914, "1-0", """
e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 d4 exd4 Qxd4 Qxd4 Nxd4 Bd6 Nc3 Ne7 O-O O-O f4 Re8
Nb3 f6 f5 b6 Bf4 Bb7 Bxd6 cxd6 Nd4 Rad8 Ne6 Rd7 Rad1 Nc8 Rf2 b5 Rfd2 Rde7 b4 Kf7 a3
Ba8 Kf2 Ra7 g4 h6 Rd3 a5 h4 axb4 axb4 Rae7 Kf3 Rg8 Kf4 g6 Rg3 g5+ Kf3 Nb6 hxg5 hxg5
Rh3 Rd7 Kg3 Ke8 Rdh1 Bb7 e5 dxe5 Ne4 Nd5 N6c5 Bc8 Nxd7 Bxd7 Rh7 Rf8 Ra1 Kd8 Ra8+ Bc8
Nc5"""),
("Rubinstein", "Lasker", "St Petersburg", 1909, "1-0", """
d4 d5 Nf3 Nf6 c4 e6 Bg5 c5 cxd5 exd5 Nc3 cxd4 Nxd4 Nc6 e3 Be7 Bb5 Bd7 Bxf6 Bxf6 Nxd5
Bxd4 exd4 Qg5 Bxc6 Bxc6 Ne3 O-O-O O-O Rhe8 Rc1 Rxe3 Rxc6+ bxc6 Qc1 Rxd4 fxe3 Rd7
Qxc6+ Kd8 Rf4 f5 Qc5 Qe7 Qxe7+ Kxe7 Rxf5 Rd1+ Kf2 Rd2+ Kf3 Rxb2 Ra5 Rb7 Ra6 Kf8 e4
Rc7 h4 Kf7 g4 Kf8 Kf4 Ke7 h5 h6 Kf5 Kf7 e5 Rb7 Rd6 Ke7 Ra6 Kf7 Rd6 Kf8 Rc6 Kf7 a3"""),
("Fischer", "Petrosian", "Buenos Aires", 1971, "1-0", """
e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6 Bd3 Nc6 Nxc6 bxc6 O-O d5 c4 Nf6 cxd5 cxd5 exd5 exd5 Nc3
Be7 Qa4+ Qd7 Re1 Qxa4 Nxa4 Be6 Be3 O-O Bc5 Rfe8 Bxe7 Rxe7 b4 Kf8 Nc5 Bc8 f3 Rea7 Re5
Bd7 Nxd7+ Rxd7 Rc1 Rd6 Rc7 Nd7 Re2 g6 Kf2 h5 f4 h4 Kf3 f5 Ke3 d4+ Kd2 Nb6 Ree7 Nd5
Rf7+ Ke8 Rb7 Nxf4 Bc4"""),
("Topalov", "Shirov", "Linares", 1998, "0-1", """
d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3 Bg7 Bb5+ c6 Ba4 O-O Ne2 Nd7 O-O e5 f3 Qe7
Be3 Rd8 Qc2 Nb6 Bb3 Be6 Rad1 Nc4 Bc1 b5 f4 exd4 Nxd4 Bg4 Rde1 Qc5 Kh1 a5 h3 Bd7 a4
bxa4 Ba2 Be8 e5 Nb6 f5 Nd5 Bd2 Nb4 Qxa4 Nxa2 Qxa2 Bxe5 fxg6 hxg6 Bg5 Rd5 Re3 Qd6 Qe2
Bd7 c4 Bxd4 cxd5 Bxe3 Qxe3 Re8 Qc3 Qxd5 Bh6 Re5 Rf3 Qc5 Qa1 Bf5 Re3 f6 Rxe5 Qxe5
Qa2+ Qd5 Qxd5+ cxd5 Bd2 a4 Bc3 Kf7 h4 Ke6 Kg1 Bh3 gxh3 Kf5 Kf2 Ke4 Bxf6 d4 Be7 Kd3
Bc5 Kc4 Be7 Kb3"""),
("McDonnell", "La Bourdonnais", "London", 1834, "0-1", """
e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 e5 Nxc6 bxc6 Bc4 Nf6 Bg5 Be7 Qe2 d5 Bxf6 Bxf6 Bb3 O-O O-O
a5 exd5 cxd5 Rd1 d4 c4 Qb6 Bc2 Bb7 Nd2 Rae8 Ne4 Bd8 c5 Qc6 f3 Be7 Rac1 f5 Qc4+ Kh8
Ba4 Qh6 Bxe8 fxe4 c6 exf3 Rc2 Qe3+ Kh1 Bc8 Bd7 f2 Rf1 d3 Rc3 Bxd7 cxd7 e4 Qc8 Bd8
Qc4 Qe1 Rc1 d2 Qc5 Rg8 Rd1 e3 Qc3 Qxd1 Rxd1 e2"""),
("Legal", "Saint Brie", "Paris", 1750, "1-0", """
e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"""),
("Petrosian", "Spassky", "Moscow", 1966, "1-0", """
Nf3 Nf6 g3 g6 c4 Bg7 Bg2 O-O O-O Nc6 Nc3 d6 d4 a6 d5 Na5 Nd2 c5 Qc2 e5 b3 Ng4 e4 f5
exf5 gxf5 Nd1 b5 f3 e4 Bb2 exf3 Bxf3 Bxb2 Qxb2 Ne5 Be2 f4 gxf4 Bh3 Ne3 Bxf1 Rxf1 Ng6
Bg4 Nxf4 Rxf4 Rxf4 Be6+ Rf7 Ne4 Qh4 Nxd6 Qg5+ Kh1 Ra7 Bxf7+ Rxf7 Qh8+"""),
("Bronstein", "Ljubojevic", "Petropolis", 1973, "1-0", """
e4 Nf6 e5 Nd5 d4 d6 c4 Nb6 f4 dxe5 fxe5 c5 d5 e6 Nc3 exd5 cxd5 c4 Nf3 Bg4 Qd4 Bxf3
gxf3 Bb4 Bxc4 O-O Rg1 g6 Bg5 Qc7 Bb3 Bc5 Qf4 Bxg1 d6 Qc8 Ke2 Bc5 Ne4 N8d7 Rc1 Qc6
Rxc5 Nxc5 Nf6+ Kh8 Qh4 Qb5+ Ke3 h5 Nxh5 Qxb3+ axb3 Nd5+ Kd4 Ne6+ Kxd5 Nxg5 Nf6+ Kg7
Qxg5 Rfd8 e6 fxe6+ Kxe6 Rf8 d7 a5 Ng4 Ra6+ Ke5 Rf5+ Qxf5 gxf5 d8=Q fxg4 Qd7+ Kh6
Qxb7 Rg6 f4"""),
("Glucksberg", "Najdorf", "Warsaw", 1929, "0-1", """
d4 f5 c4 Nf6 Nc3 e6 Nf3 d5 e3 c6 Bd3 Bd6 O-O O-O Ne2 Nbd7 Ng5 Bxh2+ Kh1 Ng4 f4 Qe8
g3 Qh5 Kg2 Bg1 Nxg1 Qh2+ Kf3 e5 dxe5 Ndxe5+ fxe5 Nxe5+ Kf4 Ng6+ Kf3 f4 exf4 Bg4+
Kxg4 Ne5+ fxe5 h5#"""),
("Alekhine", "Nimzowitsch", "San Remo", 1930, "1-0", """
e4 e6 d4 d5 Nc3 Bb4 e5 c5 Bd2 Ne7 Nb5 Bxd2+ Qxd2 O-O c3 b6 f4 Ba6 Nf3 Qd7 a4 Nbc6 b4
cxb4 cxb4 Bb7 Nd6 f5 a5 Nc8 Nxb7 Qxb7 a6 Qf7 Bb5 N8e7 O-O h6 Rfc1 Rfc8 Rc2 Qe8 Rac1
Rab8 Qe3 Rc7 Rc3 Qd7 R1c2 Kf8 Qc1 Rbc8 Ba4 b5 Bxb5 Ke8 Ba4 Kd8 h4"""),
("Tal", "Larsen", "Bled", 1965, "1-0", """
e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 e6 Nc3 d6 Be3 Nf6 f4 Be7 Qf3 O-O O-O-O Qc7 Ndb5 Qb8 g4 a6
Nd4 Nxd4 Bxd4 b5 g5 Nd7 Bd3 b4 Nd5 exd5 exd5 f5 Rde1 Rf7 h4 Bb7 Bxf5 Rxf5 Rxe7 Ne5
Qe4 Qf8 fxe5 Rf4 Qe3 Rf3 Qe2 Qxe7 Qxf3 dxe5 Re1 Rd8 Rxe5 Qd6 Qf4 Rf8 Qe4 b3 axb3
Rf1+ Kd2 Qb4+ c3 Qd6 Bc5 Qxc5 Re8+ Rf8 Qe6+ Kh8 Qf7"""),
("Fischer", "Benko", "New York", 1963, "1-0", """
e4 g6 d4 Bg7 Nc3 d6 f4 Nf6 Nf3 O-O Bd3 Bg4 h3 Bxf3 Qxf3 Nc6 Be3 e5 dxe5 dxe5 f5 gxf5
Qxf5 Nd4 Qf2 Ne8 O-O Nd6 Qg3 Kh8 Qg4 c6 Qh5 Qe8 Bxd4 exd4 Rf6 Kg8 e5 h6 Ne2"""),
("Aronian", "Anand", "Wijk aan Zee", 2013, "0-1", """
d4 d5 c4 c6 Nf3 Nf6 Nc3 e6 e3 Nbd7 Bd3 dxc4 Bxc4 b5 Bd3 Bd6 O-O O-O Qc2 Bb7 a3 Rc8
Ng5 c5 Nxh7 Ng4 f4 cxd4 exd4 Bc5 Be2 Nde5 Bxg4 Bxd4+ Kh1 Nxg4 Nxf8 f5 Ng6 Qf6 h3 Qxg6
Qe2 Qh5 Qd3 Be3"""),
("Karpov", "Kasparov", "Moscow", 1985, "0-1", """
e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6 Nb5 d6 c4 Nf6 N1c3 a6 Na3 d5 cxd5 exd5 exd5 Nb4 Be2 Bc5
O-O O-O Bf3 Bf5 Bg5 Re8 Qd2 b5 Rad1 Nd3 Nab1 h6 Bh4 b4 Na4 Bd6 Bg3 Rc8 b3 g5 Bxd6
Qxd6 g3 Nd7 Bg2 Qf6 a3 a5 axb4 axb4 Qa2 Bg6 d6 g4 Qd2 Kg7 f3 Qxd6 fxg4 Qd4+ Kh1 Nf6
Rf4 Ne4 Qxd3 Nf2+ Rxf2 Bxd3 Rfd2 Qe3 Rxd3 Rc1 Nb2 Qf2 Nd2 Rxd1+ Nxd1 Re1+"""),
("Fischer", "Taimanov", "Vancouver", 1971, "1-0", """
e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Qc7 Nc3 e6 g3 a6 Bg2 Nf6 O-O Nxd4 Qxd4 Bc5 Bf4 d6 Qd2 h6
Rad1 e5 Be3 Bg4 Bxc5 dxc5 f3 Be6 f4 Rd8 Nd5 Bxd5 exd5 e4 Rfe1 Rxd5 Rxe4+ Kd8 Qe2
Rxd1+ Qxd1+ Qd7 Qxd7+ Kxd7 Re5 b6 Bf1 a5 Bc4 Rf8 Kg2 Kd6 Kf3 Nd7 Re3 Nb8 Rd3+ Kc7 c3
Nc6 Re3 Kd6 a4 Ne7 h3 Nc6 h4 h5 Rd3+ Kc7 Rd5 f5 Rd2 Rf6 Re2 Kd7 Re3 g6 Bb5 Rd6 Ke2
Kd8 Rd3 Kc7 Rxd6 Kxd6 Kd3 Ne7 Be8 Kd5 Bf7+ Kd6 Kc4 Kc6 Be8+ Kb7 Kb5 Nc8 Bc6+ Kc7 Bd5
Ne7 Bf7 Kb7 Bb3 Ka7 Bd1 Kb7 Bf3+ Kc7 Ka6 Ng8 Bd5 Ne7 Bc4 Nc6 Bf7 Ne7 Be8 Kd8 Bxg6
Nxg6 Kxb6 Kd7 Kxc5 Ne7 b4 axb4 cxb4 Nc8 a5 Nd6 b5 Ne4+ Kb6 Kc8 Kc6 Kb8 b6"""),
("Deep Blue", "Kasparov", "Philadelphia", 1996, "1-0", """
e4 c5 c3 d5 exd5 Qxd5 d4 Nf6 Nf3 Bg4 Be2 e6 h3 Bh5 O-O Nc6 Be3 cxd4 cxd4 Bb4 a3 Ba5
Nc3 Qd6 Nb5 Qe7 Ne5 Bxe2 Qxe2 O-O Rac1 Rac8 Bg5 Bb6 Bxf6 gxf6 Nc4 Rfd8 Nxb6 axb6 Rfd1
f5 Qe3 Qf6 d5 Rxd5 Rxd5 exd5 b3 Kh8 Qxb6 Rg8 Qc5 d4 Nd6 f4 Nxb7 Ne5 Qd5 f3 g3 Nd3 Rc7
Re8 Nd6 Re1+ Kh2 Nxf2 Nxf7+ Kg7 Ng5+ Kh6 Rxh7+"""),
("Schulder", "Boden", "London", 1853, "0-1", """
e4 e5 Nf3 d6 c3 f5 Bc4 Nf6 d4 fxe4 dxe5 exf3 exf6 Qxf6 gxf3 Nc6 f4 Bd7 Be3 O-O-O Nd2
Re8 Qf3 Bf5 O-O-O d5 Bxd5 Qxc3+ bxc3 Ba3#"""),
("Greco", "N.N.", "Rome", 1620, "1-0", """
e4 b6 d4 Bb7 Bd3 f5 exf5 Bxg2 Qh5+ g6 fxg6 Nf6 gxh7+ Nxh5 Bg6#"""),
]


def load():
    """[(title, result, [(board before the move, san), ...], final board)]"""
    out = []
    for white, black, place, year, result, moves in GAMES:
        board, plies = chess.Board(), []
        for san in moves.split():
            move = board.parse_san(san)
            assert board.san(move) == san, (white, black, san)
            plies.append((board.copy(stack=False), san))
            board.push(move)
        if board.is_checkmate():
            assert result == ("0-1" if board.turn else "1-0")
        out.append((f"{white} - {black}, {place} {year}", result, plies, board))
    return out
