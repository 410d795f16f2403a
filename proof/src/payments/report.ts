import type { Quiet } from './check.ts'
import type { Evidence } from './evidence.ts'
import { invariantNames, type Invariant, type Violation } from './violation.ts'
import type { Fault } from '../shared/saboteur.ts'

export type Summary = {
  payments: number
  acknowledged: number
  unheard: number
  seconds: number
  snapshots: number
  faults: readonly Fault[]
  /** Payments in doubt that two people decided about. */
  decided: number
  /** Payments that a routing policy has ordered the candidates of. */
  byPolicy: number
  quiet: Quiet
}

export type ScenarioResult = { rows: [string, string][]; problems: string[] }

/** Attempts whose outcome was unknown for a while: no answer, a broken answer, or a sender that died. */
function ambiguousSends({ attempts }: Evidence): Evidence['attempts'] {
  return attempts.filter(
    ({ outcomeCode, outcomeMessage }) =>
      outcomeCode === 'unknown' || outcomeMessage === 'the provider never received it',
  )
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function spread(valuesMs: readonly number[]): string {
  if (valuesMs.length === 0) return '–'
  const sorted = valuesMs.toSorted((a, b) => a - b)
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
  return `p50 ${seconds(quantile(sorted, 0.5))}, p99 ${seconds(quantile(sorted, 0.99))}, max ${seconds(sorted.at(-1) ?? 0)}`
}

/** The total, and the count for each kind of part. */
function countByPart(faults: readonly Fault[], kinds: readonly string[]): string {
  const meant = faults.filter(({ kind }) => kinds.includes(kind))
  const counted = Map.groupBy(meant, ({ part }) => part.replace(/-\d$/, ''))
  return `${meant.length}: ${[...counted].map(([part, list]) => `${part} ${list.length}`).join(', ') || '–'}`
}

/** The number of attempts at each provider. */
function countByProvider({ attempts }: Evidence): string {
  const counted = [...Map.groupBy(attempts, ({ provider }) => provider)]
  return counted
    .map(([provider, list]) => `${provider} ${list.length}`)
    .toSorted()
    .join(', ')
}

/** The batches by status, and their rows by state. */
function countBatches({ bulk: { batches, rows } }: Evidence): string {
  const count = (words: readonly string[]): string =>
    [...Map.groupBy(words, (word) => word)].map(([word, list]) => `${word} ${list.length}`).join(', ') || '–'
  const statuses = count(batches.map(({ status }) => status))
  return `${batches.length}: ${statuses}; ${rows.length} rows: ${count(rows.map(({ state }) => state))}`
}

export function formatSummary(summary: Summary): string {
  const { faults, quiet } = summary
  const ambiguous = ambiguousSends(quiet.evidence)
  const rows: [string, string][] = [
    [
      'payments',
      `${summary.payments} sent, ${summary.acknowledged} acknowledged, ${summary.unheard} never begun`,
    ],
    [
      'time',
      `${summary.seconds.toFixed(0)} s, of these ${(quiet.waitedMs / 1_000).toFixed(0)} s until quiet`,
    ],
    ['kills', countByPart(faults, ['kill', 'point'])],
    ['  at a named point', String(faults.filter(({ kind }) => kind === 'point').length)],
    ['stopped and resumed', countByPart(faults, ['pause'])],
    ['connections cut', countByPart(faults, ['network'])],
    ['attempts', countByProvider(quiet.evidence)],
    ['misbehaviour of providers', String(faults.filter(({ kind }) => kind === 'provider').length)],
    ['ambiguous sends', String(ambiguous.length)],
    [
      '  sent until known',
      spread(
        ambiguous.flatMap(({ createdAt, knownAt }) =>
          knownAt ? knownAt.getTime() - createdAt.getTime() : [],
        ),
      ),
    ],
    ['decided by two people', String(summary.decided)],
    ['routed by a policy', String(summary.byPolicy)],
    ['batches of payouts', countBatches(quiet.evidence)],
    ['killed until ready', spread(faults.flatMap(({ recoveryMs }) => recoveryMs ?? []))],
    ['snapshots of the books', String(summary.snapshots)],
  ]
  const violations = Object.entries(invariantNames).map(([invariant, name]): [string, string] => [
    `${invariant} ${name}`,
    String(countOf(quiet.violations, invariant as Invariant)), // the keys of invariantNames
  ])
  return `${table(rows)}\n\n${table([['invariant', 'violations'], ...violations])}`
}

const countOf = (violations: readonly Violation[], invariant: Invariant): number =>
  violations.filter((violation) => violation.invariant === invariant).length

/** A Markdown table, so that the result of a run can be pasted into the docs. */
export function table(rows: readonly (readonly string[])[]): string {
  const [first] = rows
  const widths = first?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(first ?? []), rule, ...rows.slice(1).map(line)].join('\n')
}
