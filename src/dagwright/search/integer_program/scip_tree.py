"""Branch and bound by SCIP, with the cluster inequalities as a constraint handler."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pyscipopt import SCIP_HEURTIMING, SCIP_PARAMSETTING, SCIP_RESULT, Conshdlr, Heur, Model, quicksum

from dagwright.search.control import Control
from dagwright.search.integer_program.cluster_program import ClusterProgram, Floats, Numbers, Row
from dagwright.search.integer_program.cluster_root import Root
from dagwright.search.integer_program.incumbent import Incumbent

LEAST_VIOLATION = 0.02
LEAST_ENFORCED = 1e-4
CUTS = 30
DUAL_TOLERANCE = 1e-9


class ScipModel:
    """The open families as binary variables, one per child chosen, and the arcs that they make."""

    def __init__(self, program: ClusterProgram, root: Root, best: Incumbent, control: Control) -> None:
        self.program = program
        self.best = best
        self.control = control
        self.model = Model("network")
        self.model.hideOutput()
        self.columns: Numbers = np.flatnonzero(root.opened)
        self.family = {int(f): self.model.addVar(vtype="B", obj=float(program.loss[f])) for f in self.columns}
        self._variables = list(self.family.values())
        for child in range(program.n):
            own = [self.family[f] for f in self._open(program.offsets[child], program.offsets[child + 1])]
            self.model.addCons(quicksum(own) == 1)
        self._add_arcs()
        for row in (*root.rows, *program.edges):
            terms = quicksum(c * self.family[f] for f, c in self.entries(row))
            self.model.addCons(terms <= row.bound if row.upper else terms >= row.bound)
        self.model.includeConshdlr(
            AcyclicHandler(self),
            "acyclic",
            "every set of variables has a member without a parent in it",
            sepapriority=100,
            enfopriority=-100,
            chckpriority=-100,
            sepafreq=1,
            propfreq=-1,
            eagerfreq=-1,
            maxprerounds=0,
            needscons=False,
        )
        self.model.includeHeur(
            NearestNetwork(self),
            "nearest network",
            "an order of the variables by the weights, improved by moving single variables",
            "N",
            priority=10_000,
            freq=1,
            timingmask=SCIP_HEURTIMING.AFTERLPNODE,
        )

    def _open(self, first: int, last: int) -> list[int]:
        return [f for f in range(int(first), int(last)) if f in self.family]

    def _add_arcs(self) -> None:
        """Branching on arcs divides the families of a child more evenly than on single families."""
        program = self.program
        for head in range(program.n):
            own = self._open(program.offsets[head], program.offsets[head + 1])
            for tail in np.flatnonzero(program.parent[own].any(axis=0)):
                having = [self.family[f] for f in own if program.parent[f, tail]]
                if len(having) < len(own):
                    arc = self.model.addVar(vtype="B")
                    self.model.chgVarBranchPriority(arc, 1)
                    self.model.addCons(quicksum(having) == arc)

    def entries(self, row: Row) -> list[tuple[int, float]]:
        """The terms of a row over open families."""
        terms = zip(row.families.tolist(), row.coefficients.tolist(), strict=True)
        return [(f, c) for f, c in terms if f in self.family]

    def weights(self, solution: Any = None) -> Floats:
        weights = np.zeros(len(self.program))
        weights[self.columns] = [self.model.getSolVal(solution, one) for one in self._variables]
        return np.clip(weights, 0.0, 1.0)

    def add_cuts(self, least: float) -> str:
        """Add what the current relaxation violates: how it went, for SCIP."""
        rows = self.program.separate(self.weights(), least=least, most=CUTS)
        for row in rows:
            lower, upper = (None, row.bound) if row.upper else (row.bound, None)
            cut = self.model.createEmptyRowUnspec(
                "cluster", lhs=lower, rhs=upper, local=False, removable=True
            )
            self.model.cacheRowExtensions(cut)
            for f, coefficient in self.entries(row):
                self.model.addVarToRow(cut, self.family[f], coefficient)
            self.model.flushRowExtensions(cut)
            hopeless = self.model.addCut(cut, forcecut=True)
            if not hopeless:
                self.model.addPoolCut(cut)
            self.model.releaseRow(cut)
            if hopeless:
                return "cutoff"
        return "separated" if rows else "nothing"

    def report(self) -> None:
        try:
            self.best.report(self.control, "branching", int(self.model.getNNodes()), "nodes")
        except KeyboardInterrupt:
            self.control.interrupted()
            self.model.interruptSolve()

    def solve(self, nodes: int | None) -> None:
        """Search for a better network."""
        model, best = self.model, self.best
        model.setParam("numerics/dualfeastol", DUAL_TOLERANCE)
        model.setParam("misc/catchctrlc", True)
        model.setHeuristics(SCIP_PARAMSETTING.OFF)
        model.setParam("heuristics/nearest network/freq", 1)
        left = self.control.seconds_left()
        if left is not None:
            model.setParam("limits/time", max(left, 0.01))
        if nodes is not None:
            model.setParam("limits/totalnodes", nodes)
        model.setObjlimit(best.cutoff)
        model.optimize()
        if model.getNSols() > 0:
            weights = self.weights(model.getBestSol())
            best.offer_near(weights)
        status = model.getStatus()
        if status == "userinterrupt":
            self.control.interrupted()
        if status in ("optimal", "infeasible", "inforunbd"):
            best.raise_bound(best.cutoff)
        elif math.isfinite(bound := model.getDualbound()):
            best.raise_bound(min(bound, best.cutoff))


class AcyclicHandler(Conshdlr):  # type: ignore[misc]
    """Finds violated inequalities for fractional and whole solutions."""

    def __init__(self, owner: ScipModel) -> None:
        self.owner = owner

    def conssepalp(self, _constraints: Any, _nusefulconss: int) -> dict[str, Any]:
        self.owner.report()
        return self._added(LEAST_VIOLATION, SCIP_RESULT.DIDNOTFIND)

    def consenfolp(self, _constraints: Any, _nusefulconss: int, _solinfeasible: bool) -> dict[str, Any]:
        return self._added(LEAST_ENFORCED, SCIP_RESULT.FEASIBLE)

    def consenfops(
        self,
        _constraints: Any,
        _nusefulconss: int,
        _solinfeasible: bool,
        _objinfeasible: bool,
    ) -> dict[str, Any]:
        return {"result": SCIP_RESULT.SOLVELP}

    def conscheck(
        self,
        _constraints: Any,
        solution: Any,
        _checkintegrality: bool,
        _checklprows: bool,
        _printreason: bool,
        _completely: bool,
    ) -> dict[str, Any]:
        weights = self.owner.weights(solution)
        cyclic = self.owner.program.separate(np.round(weights), least=0.5, most=1)
        return {"result": SCIP_RESULT.INFEASIBLE if cyclic else SCIP_RESULT.FEASIBLE}

    def conslock(self, _constraint: Any, locktype: Any, nlockspos: int, nlocksneg: int) -> None:
        both = nlockspos + nlocksneg
        for variable in self.owner.family.values():
            self.owner.model.addVarLocksType(variable, locktype, both, both)

    def _added(self, least: float, otherwise: Any) -> dict[str, Any]:
        outcome = self.owner.add_cuts(least)
        results = {"cutoff": SCIP_RESULT.CUTOFF, "separated": SCIP_RESULT.SEPARATED}
        return {"result": results.get(outcome, otherwise)}


class NearestNetwork(Heur):  # type: ignore[misc]
    """Turns the relaxation's solution into a network; a better one is handed to SCIP."""

    def __init__(self, owner: ScipModel) -> None:
        self.owner = owner

    def heurexec(self, _heurtiming: Any, _nodeinfeasible: bool) -> dict[str, Any]:
        owner = self.owner
        if not owner.best.offer_near(owner.weights()):
            return {"result": SCIP_RESULT.DIDNOTFIND}
        # Only networks better than this one are of interest now.
        owner.model.setObjlimit(owner.best.cutoff)
        return {"result": SCIP_RESULT.DIDNOTFIND}
