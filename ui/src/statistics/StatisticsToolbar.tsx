import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { Combobox } from "@/components/Combobox";
import { SegmentedControl } from "@/components/SegmentedControl";
import { displayTitle } from "@/plan/nodeText";
import { dateRanges } from "./dateRange";
import { useStatisticsQuery } from "./useStatisticsQuery";

const every = "all";

/** Filters by start date and blueprint. */
export function StatisticsToolbar(): ReactElement {
  const { range, plan, setRange, setPlan } = useStatisticsQuery();
  const plans = useOperation("plans_list", {});
  return (
    <>
      <SegmentedControl label="Period" options={dateRanges} value={range} onChange={setRange} />
      <div className="w-64">
        <Combobox
          label="Blueprint"
          labelHidden
          options={[
            { id: every, label: "All blueprints" },
            ...(plans.data ?? []).map(({ id, title }) => ({ id, label: displayTitle(title) })),
          ]}
          value={[plan ?? every]}
          onChange={([id]) => setPlan(id === every ? undefined : id)}
        />
      </div>
    </>
  );
}
