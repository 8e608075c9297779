"""The claims of the paper about its method, and whether the saved results reproduce them."""
import math
import statistics

from reasons import CLOSE
from saved import MEASURES, NAMES, OURS, average, hundredths, median, printed, title

# Settings within this many points of the best count as equally good.
ALIKE = 2.0
# Data sets whose parameters the paper varies.
VARIED = ["arrhythmia", "control", "vote", "yale"]
DRAWS = 10
# Rows and columns of 32 x 32 pixels, ends included: eyes and brows, nose, mouth.
LANDMARKS = [((4, 10), (4, 12)), ((4, 10), (19, 27)), ((15, 19), (11, 20)), ((21, 26), (9, 22))]
SIDE = 32
CRITERIA = """Criteria: a first place counts in full if its lead is at least half of the printed one; most means more than half; parameters matter
little where the median setting is within 2 points of the best; other differences count from half a point on.""".replace("\n", " ")


def verdict(claim, all_of_it, any_of_it=False):
    return f"**{'Reproduced' if all_of_it else 'In part' if any_of_it else 'Not reproduced'}**: {claim}"


def leader(means):
    """The method with the best mean, its lead, and the second."""
    first, second = sorted(means, key=lambda name: -means[name])[:2]
    return first, means[first] - means[second], second


def complete(saved, sets):
    """The data sets on which all seven methods are done."""
    return [one["name"] for one in sets if all(saved.score("paper", one["name"], own) for own in NAMES.values())]


def best_mean(saved, measure, done):
    if not done:
        return None
    ours = {own: saved.mean_over("paper", done, own, measure) for own in NAMES.values()}
    theirs = {name: average([printed(measure)[data, own].mean for data in done]) for name, own in NAMES.items()}
    (best, lead, second), (printed_best, printed_lead, printed_second) = leader(ours), leader(theirs)
    # On some subsets of the data sets the printed scores do not support the claim.
    if printed_best != "Ours":
        return None
    claim = (f"the best mean {MEASURES[measure][0]} of the paper's seven methods. Here the best is {title(best)} with {ours[best]:.2f} %, {lead:.2f} "
             f"points ahead of {title(second)}; in print {theirs['Ours']:.2f} %, {printed_lead:.2f} ahead of {printed_second}.")
    claim += chosen_on_test_rows(saved, done) if measure == "accuracy" else ""
    return verdict(claim, best == OURS and 2 * lead >= printed_lead, best == OURS)


def chosen_on_test_rows(saved, done):
    """The score of the paper's method without a choice among settings on the test rows of every data set."""
    settings = {}
    for data in done:
        for point in saved.points("paper", data, OURS):
            settings.setdefault(tuple(sorted(point.get("params", {}).items())), []).append(average(point["scores"]["accuracy"]))
    one = max(100 * average(means) for means in settings.values() if len(means) == len(done))
    nested = {own: saved.mean_over("nested", done, own) for own in NAMES.values()}
    under_nested = ""
    if nested[OURS] is not None:
        place = 1 + sum(mean is not None and mean > nested[OURS] for mean in nested.values())
        under_nested = f", and under `nested` it is at rank {place} of the seven ({nested[OURS]:.2f} %)"
    return (f" That is the best of {len(settings)} settings on the test rows of every data set: one setting for all of them has at most "
            f"{one:.2f} %{under_nested}.")


def best_on_most(saved, measure, done):
    def wins(score):
        shown = [{own: hundredths(score(data, own)) for own in NAMES.values()} for data in done]
        return sum(max(row.values()) == row[OURS] for row in shown)

    ours = wins(lambda data, own: saved.mean("paper", data, own, measure))
    theirs = wins(lambda data, own: printed(measure)[data, own].mean)
    if 2 * theirs <= len(done):
        return None
    return verdict(f"the best {MEASURES[measure][0]} of the seven on most data sets. Here on {ours} of {len(done)}, in print on {theirs}; ties count.",
                   2 * ours > len(done))


def average_ranks(rows):
    """The mean rank of every column; 1 is the best, equal scores share the mean of their ranks."""
    def rank(row, score):
        return sum(other > score for other in row) + (1 + sum(other == score for other in row)) / 2
    return [average(ranks) for ranks in zip(*([rank(row, score) for score in row] for row in rows))]


def f_critical(methods, data_sets):
    """The value that Friedman's F exceeds by chance with probability 0.05. The number of methods must be odd, so that the regularised
    incomplete beta function has integer arguments and is a finite sum."""
    above, below = methods - 1, (methods - 1) * (data_sets - 1)
    a, b = below // 2, above // 2

    def tail(f):
        x = below / (below + above * f)
        return sum(math.comb(a + b - 1, j) * x**j * (1 - x) ** (a + b - 1 - j) for j in range(a, a + b))

    low, high = 0.0, 1e3
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > 0.05 else (low, middle)
    return high


def friedman(rows, names, control=0):
    """Average ranks, F of Iman and Davenport, its critical value, and the methods that differ from the control by Bonferroni-Dunn."""
    n, k = len(rows), len(names)
    ranks = average_ranks(rows)
    chi2 = 12 * n / (k * (k + 1)) * (sum(rank * rank for rank in ranks) - k * (k + 1) ** 2 / 4)
    rest = n * (k - 1) - chi2
    q = round(-statistics.NormalDist().inv_cdf(0.05 / (2 * (k - 1))), 3)
    distance = q * math.sqrt(k * (k + 1) / (6 * n))
    different = sorted(name for name, rank in zip(names, ranks) if abs(rank - ranks[control]) > distance)
    return dict(zip(names, ranks)), (n - 1) * chi2 / rest if rest > 1e-9 * n * (k - 1) else math.inf, f_critical(k, n), different


def differ(saved, sets, done):
    if len(done) < 2:
        return None
    titles = [title(own) for own in NAMES.values()]
    rows = [[round(saved.mean("paper", data, own), 8) for own in NAMES.values()] for data in done]
    ranks, f, critical, different = friedman(rows, titles)
    printed_rows = [[printed("accuracy")[one["name"], own].mean for own in NAMES.values()] for one in sets]
    printed_ranks, printed_f, printed_critical, printed_different = friedman(printed_rows, list(NAMES))
    first = min(ranks, key=ranks.get)
    shown = first == OURS and f > critical
    claim = (f"first by average rank, and better than four of the six others by Bonferroni-Dunn. Over {len(done)} data sets {first} is first with "
             f"{ranks[first]:.2f}, Friedman F is {f:.2f} (critical {critical:.2f}), and {', '.join(different) or 'none'} differ from {OURS}; in print "
             f"{printed_ranks['Ours']:.2f}, {printed_f:.2f} (critical {printed_critical:.2f}), and {', '.join(printed_different)}.")
    return verdict(claim, shown and all(title(NAMES[name]) in different for name in printed_different), shown)


def two_circles(found):
    if OURS not in found or "erfs" not in found:
        return None
    ours, erfs = found[OURS]["hits"], found["erfs"]["hits"]
    most = 2 * ours > DRAWS
    return verdict(f"on two circles among noise the method ranks both true columns first, and ERFS does not. With defaults it does in {ours} of "
                   f"{DRAWS} draws, ERFS in {erfs}.", most and erfs < ours, most)


def lift(pixels):
    """How much more often than by chance pixels are on eyes, nose and mouth; the file holds them column by column."""
    def share(some):
        def inside(pixel):
            return any(low <= pixel % SIDE <= high and left <= pixel // SIDE <= right for (low, high), (left, right) in LANDMARKS)
        return sum(map(inside, some)) / len(some)
    return share(pixels) / share(range(SIDE * SIDE))


def on_the_face(chosen):
    if OURS not in chosen:
        return None
    lifts = {own: lift(chosen[own]) for own in NAMES.values() if own in chosen}
    place = 1 + sum(other > lifts[OURS] for other in lifts.values())
    return verdict(f"on faces it selects the most informative pixels: brows, eyes, nose, mouth and contour. Without the contour, which is not "
                   f"measured here, its pixels are there {lifts[OURS]:.2f} times as often as by chance, rank {place} of the {len(lifts)} of the paper's "
                   f"methods that were tried.", lifts[OURS] > 1 and place == 1, lifts[OURS] > 1)


def insensitive(saved):
    points = {data: [100 * average(point["scores"]["accuracy"]) for point in saved.points("paper", data, OURS)] for data in VARIED}
    below = {data: (max(all_of) - median(all_of), max(all_of) - min(all_of)) for data, all_of in points.items() if len(all_of) > 1}
    if not below:
        return None
    alike = sum(half <= ALIKE for half, _ in below.values())
    each = ", ".join(f"{data} {half:.1f} and {worst:.1f}" for data, (half, worst) in below.items())
    return verdict(f"parameters matter little in most cases. Points below the best setting, of the median and of the worst of all settings: {each}.",
                   2 * alike > len(below), alike)


def low_alpha(saved, data="control"):
    by_alpha = {}
    for point in saved.points("paper", data, OURS):
        by_alpha.setdefault(point["params"]["alpha"], []).append(100 * average(point["scores"]["accuracy"]))
    means = {alpha: average(by_alpha[alpha]) for alpha in sorted(by_alpha)}
    low, high = ([mean for alpha, mean in means.items() if (alpha < 1) == is_low] for is_low in (True, False))
    if not low or not high:
        return None
    each = ", ".join(f"{alpha:g} {mean:.2f} %" for alpha, mean in means.items())
    best = saved.best("paper", data, OURS)["params"]["alpha"]
    return verdict(f"on {data} accuracy is low where alpha is smaller than 1. Means of all settings by alpha: {each}; the best setting has alpha = "
                   f"{best:g}.", max(low) + CLOSE < min(high), max(low) + CLOSE < max(high))


def claims(saved, extras, sets):
    """One sentence for each claim with sufficient results."""
    done = complete(saved, sets)
    found = [claim(saved, measure, done) for measure in MEASURES for claim in (best_mean, best_on_most)]
    found += [differ(saved, sets, done), two_circles(extras.get("circle", {})), on_the_face(extras.get("faces", {})), insensitive(saved), low_alpha(saved)]
    return [one for one in found if one]


def section(saved, extras, sets):
    found = claims(saved, extras, sets)
    return "\n\n".join(["## What is reproduced, and what is not", "\n".join(f"- {one}" for one in found), CRITERIA]) if found else ""
