"""Tests of the document: `python3 -m unittest discover -s experiments/reproduction`."""
import json
import pathlib
import tempfile
import unittest

import claims
import document
import reasons
from saved import NAMES, OURS, Saved, Score, complete, data_sets, printed


def named(*names):
    return [one for one in data_sets() if one["name"] in names]


def point(alpha, accuracy, macro_f1=(0.5, 0.5)):
    return {"params": {"alpha": alpha}, "scores": {"accuracy": list(accuracy), "macro_f1": list(macro_f1)}}


def line(method, points, part=(0, 1), grid="one"):
    return {"method": method, "part": list(part), "grid": grid, "cells": [{"method": method, "points": points}]}


class Results(unittest.TestCase):
    def test_a_method_counts_if_all_parts_of_one_grid_exist(self):
        first, second = line(OURS, [point(1.0, [0.9])], (0, 2)), line(OURS, [point(2.0, [0.7])], (1, 2))
        self.assertEqual(complete([first]), {})
        self.assertEqual(len(complete([first, second])[OURS]), 2)
        self.assertEqual(complete([first, {**second, "grid": "other"}]), {})

    def test_every_protocol_and_measure_chooses_its_own_setting(self):
        points = [point(1.0, [0.9, 0.8], [0.5, 0.4]), point(2.0, [0.7, 0.9], [0.6, 0.6]), {**point(3.0, [1.0, 1.0]), "failed": "split 2"}]
        saved = Saved({("paper", "vote"): {OURS: points}})
        self.assertAlmostEqual(saved.mean("paper", "vote", OURS), 85.0)
        self.assertAlmostEqual(saved.mean("paper", "vote", OURS, "macro_f1"), 60.0)
        self.assertAlmostEqual(saved.mean("paper-per-fold", "vote", OURS), 90.0)
        self.assertAlmostEqual(saved.score("paper", "vote", OURS).std, 100 * 0.005**0.5)
        self.assertIsNone(saved.score("nested", "vote", OURS))

    def test_the_printed_averages_follow_from_the_tables(self):
        for measure, mean in (("accuracy", 84.35), ("macro_f1", 80.88)):
            ours = [score.mean for (_, method), score in printed(measure).items() if method == OURS]
            self.assertEqual((len(printed(measure)), len(ours)), (18 * 7, 18))
            self.assertAlmostEqual(sum(ours) / 18, mean, delta=0.01)


class Claims(unittest.TestCase):
    def found(self, names, ours):
        """The claims for two settings, of which the first is better on vote and the second elsewhere."""
        cells = {}
        for data in names:
            good, bad = ours if data == "vote" else ours[::-1]
            own = {OURS: [point(0.1, [good, good]), point(1.0, [bad, bad])]}
            others = {method: [point(1.0, [0.9 - at / 100] * 2, [0.6, 0.6])] for at, method in enumerate(NAMES.values()) if at}
            cells["paper", data] = own | others
        return claims.claims(Saved(cells), {}, named(*names))

    def test_the_best_mean_is_compared_with_print(self):
        found = self.found(["vote", "wdbc"], [0.95, 0.85])
        self.assertTrue(found[0].startswith("**Reproduced**: the best mean accuracy"))
        self.assertTrue(found[0].endswith(
            "ldr-tsk with 95.00 %, 6.00 points ahead of DG-ALETSK; in print 98.00 %, 1.56 ahead of RJFWLF. That is the best of 2 settings "
            "on the test rows of every data set: one setting for all of them has at most 90.00 %."), found[0])
        self.assertTrue(found[1].startswith("**Reproduced**: the best accuracy of the seven on most") and "Here on 2 of 2" in found[1])
        self.assertTrue(found[2].startswith("**Not reproduced**: the best mean macro-F1"))
        self.assertTrue(found[-1].startswith("**Not reproduced**: parameters") and found[-1].endswith("vote 5.0 and 10.0."))
        self.assertTrue(self.found(["vote", "wdbc"], [0.895, 0.85])[0].startswith("**In part**"))
        self.assertTrue(self.found(["vote", "wdbc"], [0.88, 0.85])[0].startswith("**Not reproduced**"))
        self.assertFalse(any("the best mean" in claim for claim in self.found(["vowel"], [0.95, 0.85])))
        self.assertEqual(claims.claims(Saved({}), {}, []), [])

    def test_a_low_alpha_is_compared_with_the_others(self):
        self.assertTrue(self.found(["control"], [0.95, 0.97])[-1].startswith("**Not reproduced**: on control"))
        found = self.found(["control"], [0.97, 0.95])[-1]
        self.assertTrue(found.startswith("**Reproduced**: on control accuracy is low"))
        self.assertTrue(found.endswith("0.1 95.00 %, 1 97.00 %; the best setting has alpha = 1."), found)

    def test_circles_and_faces(self):
        def circles(ours, erfs):
            return claims.two_circles({OURS: {"hits": ours}, "erfs": {"hits": erfs}})
        self.assertTrue(circles(10, 2).startswith("**Reproduced**: on two circles") and circles(8, 9).startswith("**In part**"))
        self.assertTrue(circles(0, 2).startswith("**Not reproduced**") and circles(0, 2).endswith("in 0 of 10 draws, ERFS in 2."))
        mouth, corner = [9 * 32 + 22], [0]
        self.assertTrue(claims.on_the_face({OURS: mouth, "fsor": corner}).startswith("**Reproduced**"))
        part = claims.on_the_face({OURS: mouth + corner, "fsor": mouth})
        self.assertTrue(part.startswith("**In part**") and "rank 2 of the 2" in part)
        self.assertTrue(claims.on_the_face({OURS: corner, "fsor": mouth}).startswith("**Not reproduced**"))
        self.assertAlmostEqual(claims.lift(range(32 * 32)), 1.0)

    def test_the_printed_table_gives_the_printed_statistics(self):
        rows = [[printed("accuracy")[one["name"], own].mean for own in NAMES.values()] for one in data_sets()]
        ranks, f, critical, different = claims.friedman(rows, list(NAMES))
        self.assertAlmostEqual(f, 34.579933, places=6)
        self.assertAlmostEqual(critical, 2.188761, places=6)
        self.assertAlmostEqual(ranks["FSOR"], 2.8056, places=4)
        self.assertEqual(different, ["DG-ALETSK", "DG-TSK", "FRSE-TSK", "MCFS"])


class Reasons(unittest.TestCase):
    def row(self, name, paper, error, per_fold, **more):
        return reasons.Row(name, Score(80.0, 1.5, 10), Score(paper, error * 10**0.5, 10), per_fold, **more)

    def test_every_difference_has_its_reason(self):
        low, high, free = ({"subset": fixed, "subset_per_fold": ceiling} for fixed, ceiling in ((78.0, 79.4), (79.4, 79.6), (79.6, 81.0)))
        rows = [self.row("a", 79.6, 1.0, 81.0), self.row("b", 78.0, 1.1, 82.0, **free), self.row("c", 77.0, 2.0, 79.0, **low),
                self.row("d", 79.0, 0.1, 79.0, **high), self.row("e", 79.0, 0.4, 79.3, any_method=79.4),
                self.row("f", 79.0, 0.1, 79.6, any_method=90.0), self.row("g", 79.0, 0.1, 79.4, any_method=90.0), self.row("h", 80.6, 0.1, 81.0)]
        self.assertEqual([row.reason() for row in rows], [
            "reached", "within two standard errors: other folds could explain it",
            "no third of the features reaches it, even with another one in every fold",
            "no third of the features reaches it when it is the same in all folds",
            "no method reaches it, even with its best setting of every fold", "only with the best setting of every fold", "not explained", "exceeded"])
        self.assertIn("| b | 78.00 ± 3.48 | 80.00 ± 1.50 | -2.00 | 2.20 |", reasons.reason_table(rows, "accuracy"))
        found = reasons.summary(rows[:4], "macro_f1")
        ends = ["on 1 (a).", "on 1 (b).", "on 2 (c, d).", "on 2 (b, c).",
                "mean -1.60, median -1.50 points, from -3.00 (c) to -0.40 (a); sum -6.4; the two lowest: c -3.00, b -2.00."]
        for sentence, end in zip(found, ends):
            self.assertTrue(sentence.endswith(end), sentence)
        self.assertIn("on 2 (c, d), and the best one of every fold on 1 (c):", found[5])


class Document(unittest.TestCase):
    def test_sections_are_inserted_before_their_headings(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "extras.json").write_text(json.dumps({"circle": {OURS: {"hits": 0}, "erfs": {"hits": 2}}}))
            text = "# Title\n\n## Protocols\n\n## Accuracy beside the printed table\n\n## All methods, protocol paper\n"
            done = document.completed(text, folder)
            headings = [one for one in done.splitlines() if one.startswith("#")]
            self.assertEqual(headings[1:], ["## What is reproduced, and what is not", "## Protocols", "## The protocol of the printed tables",
                                        "### The toy example under permuted labels",
                                            "## Accuracy beside the printed table", "## Which protocol explains the paper?",
                                            "## All methods, protocol paper"])
            with self.assertRaises(SystemExit):
                document.completed("# Title\n", folder)


if __name__ == "__main__":
    unittest.main()
