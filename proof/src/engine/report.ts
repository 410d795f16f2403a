export type ScenarioResult = {
  name: string
  runs: number
  lost: number
  doubled: number
  longestRecoveryMs: number
  problems: string[]
}

export type Mails = { expected: string[]; missing: string[] }

/** Counted at the end of the run, so that late duplicates are seen. A mail that arrived too late counts as lost. */
export function countMails(
  { expected, missing }: Mails,
  counts: ReadonlyMap<string, number>,
): Pick<ScenarioResult, 'lost' | 'doubled'> {
  const isLost = (email: string): boolean => missing.includes(email) || !counts.has(email)
  return {
    lost: expected.filter(isLost).length,
    doubled: expected.filter((email) => (counts.get(email) ?? 0) > 1).length,
  }
}

export const isViolation = ({ lost, doubled, problems }: ScenarioResult): boolean =>
  lost + doubled + problems.length > 0

export function formatTable(results: readonly ScenarioResult[]): string {
  const rows = results.map((result) => [
    result.name,
    String(result.runs),
    String(result.lost),
    String(result.doubled),
    `${(result.longestRecoveryMs / 1_000).toFixed(1)} s`,
  ])
  const table = [['scenario', 'runs', 'lost', 'doubled', 'longest recovery'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}
