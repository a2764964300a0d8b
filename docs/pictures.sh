#!/bin/sh
# Draws the pictures of the book anew: docs/pictures.sh [ERRARE] [TABLES]. Takes a few minutes; needs Python for those
# that errare does not draw by itself. The same tables and seeds give the same pictures.
set -eu
errare_binary=${1:-errare}
tables=${2:-target/tables}
here=$(dirname "$0")
out=$here/src/pictures
games=$here/../crates/errare-games/tests/data/browne_belle.pgn
start='K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

errare() { "$errare_binary" --tables "$tables" --quiet "$@"; }
plot() { python3 "$here/plot.py" "$@"; }

# Player: how likely R_c concedes how much, by c.
for c in $(seq 0 50); do
    errare choose '8/8/8/8/3K1k2/r7/6Q1/8 w - - 0 1' --agent "player:$c" --keep-value --format csv |
        awk -F, -v c="$c" 'NR > 1 && $3 == "win" { d = $4 - 15; name = d < 4 ? "+" d : "+4 and more"; p[name] += $6 }
            END { n = split("+0,+2,+3,+4 and more", order, ","); for (i = 1; i <= n; i++) print order[i] "," c "," p[order[i]] }'
done | sort -t, -s -k1,1 | plot 'Game 1, move 17: what R_c concedes (dtc, kappa 1, the win kept)' 'competence c' 'probability' > "$out/player.svg"

# Analyser: figure 8 of Haworth (2003).
errare assess "$games" --keep-value --kappa 0+ --format csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["side"] == "white":
        print("game " + row["game"], (int(row["ply"]) + 1) // 2, row["expected_c"], sep=",")' |
    plot --marks 'Browne against BELLE (dtc, kappa 0+, holding value)' 'move' 'expected competence E[c]' > "$out/analyser.svg"

# Predator: figure 6 of Haworth (2003).
errare choose '8/5r2/8/7k/4K3/6Q1/8/8 b - - 0 1' --sweep 0:50 --keep-value --kappa 0+ --svg "$out/predator.svg" > "$work/swept"

# Emulator: the competence that E_20 and R_20 seem to have, in one game of the first and three of the second.
errare match --white emulator:20 --black infallible --fen "$start" --games 1 --seed 1 --pgn "$work/emulator.pgn" > "$work/output"
errare match --white player:20 --black infallible --fen "$start" --games 3 --seed 1 --pgn "$work/player.pgn" > "$work/output"
for name in emulator player; do
    errare assess "$work/$name.pgn" --hold wins --grid 0:1:40 --format csv
done | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["side"] == "white":
        name = "E_20" if row["white"].startswith("emulator") else "R_20 game " + row["game"]
        print(name, (int(row["ply"]) + 1) // 2, row["expected_c"], sep=",")' |
    plot 'KQKR: apparent competence against an infallible defender' 'move' 'expected competence E[c]' > "$out/emulator.svg"

# Predictor: a point against a posterior.
errare assess "$games" --player Browne --keep-value --format json > "$work/browne.json"
within=$(seq -s, 25 5 300)
for who in 19.26 20 "$work/browne.json"; do
    name=$who
    [ "$who" = "$work/browne.json" ] && name=Browne
    errare predict "$start" --competence "$who" --within "$within" --format csv | awk -F, -v name="$name" 'NR > 1 { print name "," $1 "," $3 }'
done | plot 'KQKR from depth 31 (dtc, kappa 1, holding wins)' 'moves m' 'chance to have won within m moves' > "$out/predictor.svg"

# Pitfall, the search like Levy's: what each move promises, by depth of search.
for plies in 2 4 6; do
    errare choose '4k3/1r6/4K3/4B3/8/8/8/3R4 w - - 0 1' --agent "pitfall:plies=$plies" --format csv |
        awk -F, -v plies="$plies" 'NR > 1 && $2 ~ /^(Rh1|Ra1|Rg1|Rc1|Bc7|Bd6|Rd7|Bf6|Bg3|Bh2)$/ { print plies " plies," $2 "," $7 }' |
        sort -t, -k2,2
done | plot --bars 'KRBKR: which drawing move is hardest to hold?' 'move' 'chance of giving up the draw, P = 0.01' > "$out/levy.svg"

# The infallible player: what choosing among equals amounts to.
for ties in even: rook:rook king:king,rook; do
    black=infallible${ties#*:}
    [ "${ties#*:}" ] && black=infallible:${ties#*:}
    errare match --white player:20 --black "$black" --fen "$start" --games 5000 --seed 1 --format csv |
        awk -F, -v ties="${ties%%:*}" 'NR > 1 && $1 <= 300 { sum += $2; if ($1 % 5 == 0 || $1 < 40) print (ties == "even" ? "even" : ties " first") "," $1 "," sum / 5000 }'
done | plot 'KQKR: R_20 from the first start of Browne and BELLE' 'moves m' 'games over within m moves' > "$out/infallible.svg"

# Markov model: the matrix, and figures 1 to 4 of Andrist and Haworth (2005).
errare markov KQKR --competence 20 --heat-map "$out/heat-map.svg" > "$work/output"
errare markov KBBKN --competence 30:5:50 --picture at-most --svg "$out/figure1.svg" > "$work/output"
errare markov KBBKN --competence 30:5:50 --picture exactly --svg "$out/figure2.svg" > "$work/output"
errare markov KBBKN --competence 15:5:40 --picture lengths --svg "$out/figure3.svg" > "$work/output"
errare markov KBBKN --competence 15:5:40 --picture within --svg "$out/figure4.svg" > "$work/output"
errare markov KQKR --competence 15:5:40 --picture within --svg "$out/figure4-kqkr.svg" > "$work/output"

# Matches: games beside the model.
errare markov KQKR --competence 20 --passage 300 --format json > "$work/markov.json"
{
    python3 -c '
import json, sys
for moves, chance in enumerate(json.load(open(sys.argv[1]))["results"][0]["passage"]["at_most"]):
    if moves >= 25 and moves % 5 == 0:
        print("Markov model", moves, chance, sep=",")' "$work/markov.json"
    errare match --white player:20 --black infallible --fen "$start" --games 20000 --seed 1 --format csv |
        awk -F, 'NR > 1 && $1 <= 300 { sum += $2; if ($1 % 5 == 0 || $1 < 40) print "20000 games," $1 "," sum / 20000 }'
} | plot 'KQKR: R_20 against an infallible defender from depth 31' 'moves m' 'won within m moves' > "$out/matches.svg"

ls -l "$out"
