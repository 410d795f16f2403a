import type { MeasuredInstallation } from './installation.ts'
import { asOwner } from './owner.ts'
import { payment, runLoadOn } from './run-load.ts'
import { median } from './statistics.ts'
import { formatTable } from './table.ts'

export interface CompareOptions {
  seconds: number
  connections: number
  /** How often each side is measured. */
  rounds: number
  print: (line: string) => void
}

/** One of the two that are compared. */
export interface Side {
  name: string
  installation: MeasuredInstallation
  prepare?: () => Promise<void>
}

type Round = Record<'perSecond' | 'p50Ms' | 'fdatasyncMs' | (typeof processes)[number], number>

/** Those whose processor time is shown. */
const processes = ['api', 'postgres', 'simulator', 'load'] as const
const processNames = {
  api: 'the api',
  postgres: 'Postgres',
  simulator: 'the simulator',
  load: 'the load generator',
} as const

const warmUpSeconds = 3
const slowerLimitPercent = 5

/** Measures two sides in turns in one run, so that whatever changes on the machine meets both of them. */
export async function compare(sides: readonly [Side, Side], options: CompareOptions): Promise<void> {
  const measured = new Map<Side, Round[]>(sides.map((side) => [side, []]))
  // The first round warms up the programs and their caches, and is left out.
  for (let round = 0; round <= options.rounds; round += 1) {
    if (round === 1) await analyze(sides)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await side.prepare?.()
      const result = await measure(side, options)
      const shown = `${result.perSecond.toFixed(0)}/s, p50 ${result.p50Ms.toFixed(1)} ms`
      options.print(`${round === 0 ? 'warming up' : `round ${round}`}: ${side.name}: ${shown}`)
      if (round > 0) measured.get(side)?.push(result)
    }
  }
  report(sides, measured, options.print)
}

function report(
  sides: readonly [Side, Side],
  measured: ReadonlyMap<Side, readonly Round[]>,
  print: CompareOptions['print'],
): void {
  const [roundsA = [], roundsB = []] = sides.map((side) => measured.get(side))
  print(`\n${formatComparison([sides[0].name, mediansOf(roundsA)], [sides[1].name, mediansOf(roundsB)])}`)
  const slower = -median(
    roundsA.map((one, n) => differencePercent(one.perSecond, roundsB[n]?.perSecond ?? 0)),
  )
  print(`median of the differences within a round: ${(-slower).toFixed(1)} % payments/s`)
  if (slower <= slowerLimitPercent) return
  print(`${sides[1].name} is slower by ${slower.toFixed(1)} %, more than ${slowerLimitPercent} %`)
  process.exitCode = 1
}

async function measure({ installation }: Side, { connections, seconds }: CompareOptions): Promise<Round> {
  const target = { origin: installation.apiUrl, ...payment(installation) }
  const load = { connections, warmUpSeconds, seconds }
  const { perSecond, p50Ms, eachMs, fdatasyncMs } = await runLoadOn(installation, target, load)
  const of = (name: string): number => eachMs[name] ?? 0
  return {
    perSecond,
    p50Ms,
    fdatasyncMs,
    api: of('api'),
    postgres: of('postgres'),
    simulator: of('simulator'),
    load: of('load'),
  }
}

function mediansOf(rounds: readonly Round[]): Round {
  const of = (key: keyof Round): number => median(rounds.map((round) => round[key]))
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    fdatasyncMs: of('fdatasyncMs'),
    api: of('api'),
    postgres: of('postgres'),
    simulator: of('simulator'),
    load: of('load'),
  }
}

const differencePercent = (a: number, b: number): number => (a === 0 ? 0 : (100 * (b - a)) / a)

function formatComparison([nameA, a]: [string, Round], [nameB, b]: [string, Round]): string {
  const row = (label: string, key: keyof Round, digits: number): string[] => [
    label,
    a[key].toFixed(digits),
    b[key].toFixed(digits),
    `${differencePercent(a[key], b[key]).toFixed(1)} %`,
  ]
  return formatTable([
    ['medians', nameA, nameB, 'difference'],
    row('payments/s', 'perSecond', 0),
    row('p50, ms', 'p50Ms', 1),
    row('fdatasync meanwhile, p50, ms', 'fdatasyncMs', 2),
    ...processes.map((name) => row(`processor time of ${processNames[name]}, ms per payment`, name, 3)),
  ])
}

/** A database that was made a minute ago has no statistics; autovacuum would make them in the middle of a round. */
async function analyze(sides: readonly Side[]): Promise<void> {
  for (const ownerUrl of new Set(sides.map(({ installation }) => installation.ownerUrl)))
    await asOwner(ownerUrl, (owner) => owner.query('vacuum (analyze)'))
}
