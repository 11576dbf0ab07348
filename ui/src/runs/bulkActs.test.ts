import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { deleteRuns, maxDeletedAtOnce, stopRuns } from "./bulkActs";

const runs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, number: at }));

function backendWith(answer: (input: { runs: string[]; run: string }) => unknown) {
  const call = async (_name: string, input: unknown) =>
    answer(input as { runs: string[]; run: string });
  return { call: call as unknown as Backend["call"] };
}

test("many runs are deleted in parts", async () => {
  const sizes: number[] = [];
  const backend = backendWith(({ runs: part }) => {
    sizes.push(part.length);
    return { deleted: part, refused: [] };
  });
  const count = 2 * maxDeletedAtOnce + 1;
  expect(await deleteRuns(backend, runs(count))).toEqual({ done: count, failures: [] });
  expect(sizes).toEqual([maxDeletedAtOnce, maxDeletedAtOnce, 1]);
});

test("a part that fails and runs that are refused are listed, and the rest is deleted", async () => {
  const error = { code: "refused", message: "A question waits.", fix: "Answer it first." };
  const backend = backendWith(({ runs: part }) => {
    if (part.includes("r0")) throw new ApiError("unavailable", "The database is busy.");
    return { deleted: ["child"], refused: [{ run: "r500", error }] };
  });
  const { done, failures } = await deleteRuns(backend, runs(maxDeletedAtOnce + 1));
  expect(done, "a run below another isn't counted").toBe(0);
  expect(failures).toHaveLength(maxDeletedAtOnce + 1);
  expect(failures[0]).toEqual({ id: "r0", name: "#0", reason: "The database is busy." });
  expect(failures.at(-1)).toEqual({
    id: "r500",
    name: "#500",
    reason: "A question waits. Answer it first.",
  });
});

test("stopping continues after a failure", async () => {
  const backend = backendWith(({ run }) => {
    if (run === "r0") throw new ApiError("conflict", "The run has ended.");
    return {};
  });
  expect(await stopRuns(backend, runs(3))).toEqual({
    done: 2,
    failures: [{ id: "r0", name: "#0", reason: "The run has ended." }],
  });
});
