"""Cross-validation with numbers: log density, RMSE and R squared of rows that were held out."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from command_line import answer
from dagwright.base.seeds import generator

BIC = dw.BIC(measure=dw.Embedded())
FOLDS = 4


def data(rows: int = 120) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    sex = rng.integers(0, 2, rows)
    height = 165 + 12 * sex + rng.normal(0, 6, rows)
    weight = -80 + 0.9 * height + rng.normal(0, 7, rows)
    return {"sex": np.array(["f", "m"])[sex], "height": height, "weight": weight}


DATA = data()
LINE = {"score": BIC, "search": dw.GES()}
ALONE = {"score": BIC, "search": dw.HillClimb(max_parents=0)}


def folds(rows: int) -> Any:
    """The division that `cross_validate` makes with the usual seed."""
    return generator(None).permutation(rows) % FOLDS


def normal(x: Any, mean: Any, sd: float) -> Any:
    return -0.5 * np.square((x - mean) / sd) - math.log(sd * math.sqrt(2 * math.pi))


def test_a_target_of_numbers_is_scored_by_density_and_squared_error() -> None:
    numbers = {name: DATA[name] for name in ("height", "weight")}
    found = dw.cross_validate(numbers, {"line": LINE}, target="weight", folds=FOLDS, parameter_prior=None)
    fold_of = folds(120)
    losses, squares, around = [], 0.0, 0.0
    for fold in range(FOLDS):
        x, y = (column[fold_of != fold] for column in numbers.values())
        slope, intercept = np.polyfit(x, y, 1)
        sd = math.sqrt(np.mean(np.square(y - intercept - slope * x)))
        held_x, held_y = (column[fold_of == fold] for column in numbers.values())
        losses.append(-float(normal(held_y, intercept + slope * held_x, sd).mean()))
        squares += float(np.square(held_y - intercept - slope * held_x).sum())
        around += float(np.square(held_y - y.mean()).sum())
    (one,) = found.ranking
    assert found.folds["line"] == pytest.approx(losses, rel=1e-9)
    assert one.rmse == pytest.approx(math.sqrt(squares / 120), rel=1e-9)
    assert one.r_squared == pytest.approx(1 - squares / around, rel=1e-9)
    assert f"RMSE {one.rmse:.5g}" in str(found)


def test_whole_rows_are_scored_by_their_density() -> None:
    found = dw.cross_validate(DATA, {"line": LINE, "alone": ALONE}, folds=FOLDS)
    assert found.best == "line"
    assert found.ranking[0].rmse is None
    fold_of = folds(120)
    rest, held = ({name: c[fold_of != 0] for name, c in DATA.items()}, fold_of == 0)
    rule = dw.Knowledge(continuous=["height", "weight"])
    network = dw.learn(rest, knowledge=rule, **LINE).network(parameter_prior=dw.BDeu(ess=1))
    expected = -network.row_log_probabilities({name: c[held] for name, c in DATA.items()}).mean()
    assert found.folds["line"][0] == pytest.approx(expected, rel=1e-9)


def test_a_category_is_predicted_from_numbers() -> None:
    found = dw.cross_validate(DATA, {"line": LINE, "alone": ALONE}, target="sex", folds=FOLDS)
    assert found.best == "line"
    assert found.ranking[0].loss < 0.8 * found.ranking[1].loss
    assert found.ranking[0].rmse is None


def test_arcs_from_numbers_to_categories_are_left_out() -> None:
    # sex depends on height and on a number that nothing else has to do with: a v-structure of numbers.
    rng = np.random.default_rng(5)
    height, other = rng.normal(0, 1, (2, 400))
    sex = np.array(["f", "m"])[(height + other + rng.normal(0, 0.3, 400) > 0).astype(int)]
    numbers = {"height": height, "other": other, "sex": sex}
    with pytest.raises(dw.DagwrightError, match="no equivalent graph"):
        dw.learn(numbers, score=BIC).network()
    found = dw.cross_validate(numbers, {"usual": {"score": BIC}}, target="sex", folds=2)
    assert found.ranking[0].loss < 0.4


def test_the_others_may_have_gaps() -> None:
    gappy = {**DATA, "height": DATA["height"].copy(), "weight": DATA["weight"].copy()}
    gappy["height"][::7] = np.nan
    gappy["weight"][::11] = np.nan
    found = dw.cross_validate(gappy, {"line": LINE, "alone": ALONE}, target="weight", folds=3, missing="em")
    assert found.best == "line"
    assert found.ranking[0].r_squared is not None
    assert 0.3 < found.ranking[0].r_squared < 1


def test_densities_and_probabilities_do_not_compare() -> None:
    with pytest.raises(dw.DagwrightError, match="do not compare"):
        dw.cross_validate(DATA, {"line": LINE, "cut": {"score": dw.BDeu()}}, folds=FOLDS)
    with pytest.raises(dw.DagwrightError, match="'weight' has other states"):
        dw.cross_validate(DATA, {"line": LINE, "cut": {"score": dw.BDeu()}}, target="weight", folds=FOLDS)


def test_the_command_has_the_columns_of_numbers(tmp_path: Path) -> None:
    dw.read(DATA).to_pandas().to_csv(tmp_path / "body.csv", index=False)
    asked = ["cross-validate", str(tmp_path / "body.csv"), "--score", "BIC(measure=Embedded())"]
    asked += ["--target", "weight", "--folds", "3"]
    assert "RMSE" in answer(*asked)
    assert 0.2 < json.loads(answer(*asked, "--json"))["ranking"][0]["r_squared"] < 1


def test_replicates_and_confidence_keep_numbers() -> None:
    found = dw.learn(DATA, score=BIC)
    assert found.confidence().strength("height", "weight") == 1.0
    drawn = dw.bootstrap(DATA, score=BIC, replicates=20, draw=dw.Subsample(0.5))
    assert drawn.strength("height", "weight") > 0.9
