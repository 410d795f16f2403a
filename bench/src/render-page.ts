import type { InitiateFigures, LatencyFigures, LedgerFigures, Results } from './results.ts'

const ms = (value: number, digits = 1): string => value.toFixed(digits)
const whole = (value: number): string => Math.round(value).toLocaleString('en')

/** Replaces the text between the marks of each part that was measured; a part without figures stays as it is. */
export function renderPage(page: string, { initiate, latency, ledger }: Results): string {
  const texts = {
    ...(initiate && { initiate: `${initiateTable(initiate.figures)}\n\n${originOf(initiate)}` }),
    ...(latency && { latency: `${latencyTables(latency.figures)}\n\n${originOf(latency)}` }),
    ...(ledger && { ledger: `${ledgerTable(ledger.figures)}\n\n${originOf(ledger)}` }),
  }
  return Object.entries(texts).reduce((rendered, [name, text]) => replaceBetween(rendered, name, text), page)
}

function replaceBetween(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end of figures: ${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no place for the figures of ${name}`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`
}

type Origin = Pick<NonNullable<Results['ledger']>, 'at' | 'load' | 'stolen' | 'machine'> & {
  figures: { seconds: number }
}

function originOf({ at, load, stolen, machine, figures }: Origin): string {
  const { cores, processor, memoryGb, kernel } = machine
  const taken =
    stolen === undefined ? '' : `, while the host took ${(stolen * 100).toFixed(0)} % of the processors`
  return (
    `Measured on ${at} for ${figures.seconds} s each after warming up, on ${cores} cores (${processor}), ` +
    `${memoryGb} GB, Linux ${kernel}, with a load of ${load.toFixed(1)} before it${taken}.`
  )
}

/** A table as the formatter aligns it. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lineOf = (cells: readonly string[]): string =>
    `| ${widths.map((columnWidth, column) => (cells[column] ?? '').padEnd(columnWidth)).join(' | ')} |`
  const [header = [], ...body] = rows
  return [
    lineOf(header),
    lineOf(widths.map((columnWidth) => '-'.repeat(columnWidth))),
    ...body.map(lineOf),
  ].join('\n')
}

function initiateTable({ rows, sql, connections, steadyPerSecond, providerP50Ms }: InitiateFigures): string {
  const processes = [...new Set(rows.flatMap(({ full }) => Object.keys(full.eachMs)))]
  const row = (
    name: string,
    cell: (row: InitiateFigures['rows'][number]) => string,
    alone = '',
  ): string[] => [name, ...rows.map(cell), alone]
  return markdownTable([
    row('organisations', ({ organizations }) => String(organizations), 'the SQL alone'),
    row(`payments/s, ${connections} connections`, ({ full }) => whole(full.perSecond), whole(sql.perSecond)),
    row('p50 / p99 ms', ({ full }) => `${ms(full.p50Ms)} / ${ms(full.p99Ms)}`),
    row('fdatasync meanwhile, p50 ms', ({ full }) => ms(full.fdatasyncMs, 2), ms(sql.fdatasyncMs, 2)),
    ...processes.map((name) =>
      row(
        `processor time per payment, ${name}, ms`,
        ({ full }) => ms(full.eachMs[name] ?? 0, 2),
        name in sql.eachMs ? ms(sql.eachMs[name] ?? 0, 2) : '',
      ),
    ),
    row(`at ${steadyPerSecond}/s, p50 / p99 ms`, ({ steady }) => `${ms(steady.p50Ms)} / ${ms(steady.p99Ms)}`),
    row('of these the provider, p50 ms', () => ms(providerP50Ms)),
    row('fdatasync meanwhile, p50 ms', ({ steady }) => ms(steady.fdatasyncMs, 2)),
    ...processes.map((name) =>
      row(`processor time per payment, ${name}, ms`, ({ steady }) => ms(steady.eachMs[name] ?? 0, 2)),
    ),
  ])
}

function latencyTables(figures: LatencyFigures): string {
  const { requests, slowest, perSecond, p50Ms, p99Ms, slowestFromMs, fdatasyncMs, fdatasyncP99Ms } = figures
  const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(0)} %`
  return [
    `${whole(requests)} payments at ${perSecond}/s had a p50 of ${ms(p50Ms)} ms and a p99 of ${ms(p99Ms)} ms, beside an ` +
      `fdatasync of ${ms(fdatasyncMs, 2)} ms in the median and ${ms(fdatasyncP99Ms, 2)} ms at p99. The slowest ${slowest} took ` +
      `${ms(slowestFromMs)} ms and more:`,
    markdownTable([
      ['where the time went, mean ms', 'all', `the slowest ${slowest}`],
      ...figures.parts.map(({ name, allMs, slowestMs }) => [name, ms(allMs, 2), ms(slowestMs, 2)]),
    ]),
    markdownTable([
      ['payments that met', 'all', `the slowest ${slowest}`],
      ...figures.coincidences.map(({ name, all, slowest: met }) => [
        name,
        percent(all, requests),
        percent(met, slowest),
      ]),
    ]),
  ].join('\n\n')
}

function ledgerTable({ rows, connections }: LedgerFigures): string {
  return markdownTable([
    [
      `${connections} callers`,
      'transfers per transaction',
      'transfers/s',
      'p50 / p99 ms of a transaction',
      'fdatasync meanwhile, p50 ms',
      'processor time per transfer: Postgres, client, ms',
    ],
    ...rows.map((row) => [
      row.name,
      String(row.perCall),
      whole(row.perSecond),
      `${ms(row.p50Ms)} / ${ms(row.p99Ms)}`,
      ms(row.fdatasyncMs, 2),
      `${ms(row.eachMs['postgres'] ?? 0, 3)}, ${ms(row.eachMs['client'] ?? 0, 3)}`,
    ]),
  ])
}
