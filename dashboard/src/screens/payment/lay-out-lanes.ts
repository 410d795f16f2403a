import type { TimelineEntry } from '@switchyard/sdk'
import { payment } from '../../messages/generated/texts.ts'
import type { Tone } from './describe-payment.ts'
import { summaryOf } from './describe-entry.ts'
import { attemptsOf, providerName, providerOf, textOf, type Attempt } from './entries.ts'

interface Lane {
  id: string
  label: string
}

interface Mark {
  entryId: string
  lane: number
  x: number
  tone: Tone
  label: string
}

/** A state of an attempt, which lasts until the next state. */
interface Bar {
  entryId: string
  lane: number
  x: number
  width: number
  tone: Tone
}

/** A period in which nothing happened. */
interface Fold {
  x: number
  width: number
  ms: number
}

export interface LaneLayout {
  lanes: Lane[]
  marks: Mark[]
  bars: Bar[]
  folds: Fold[]
  width: number
}

const idleMs = 20_000
const foldWidth = 112
const leastGap = 26
const mostGap = 96
const edge = 18
/** The extra width, in pixels, of a gap that is ten times as long. */
const widthPerDecade = 20

const attemptTones: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  failed: 'bad',
  declined: 'bad',
  not_sent: 'bad',
  unknown: 'unknown',
}

const deliveryTones: Readonly<Record<string, Tone>> = { succeeded: 'good', dead: 'bad' }

/**
 * Places the entries on lanes, with time running to the right. Gaps are drawn on a logarithmic scale and idle
 * periods are folded, so that milliseconds and days fit in one chart.
 */
export function layOutLanes(entries: readonly TimelineEntry[], isInbound: boolean): LaneLayout {
  const attempts = attemptsOf(entries)
  const providers = [...new Set(entries.flatMap((entry) => providerOf(entry, attempts) ?? []))]
  const lanes: Lane[] = [
    { id: 'customer', label: payment.lane.customer },
    { id: 'switchyard', label: payment.lane.switchyard },
    ...providers.map((provider) => ({ id: `provider.${provider}`, label: providerName(provider) })),
    { id: 'ledger', label: payment.lane.ledger },
    { id: 'endpoints', label: payment.lane.endpoints },
  ].filter(
    ({ id }) => id === 'switchyard' || entries.some((entry) => laneOf(entry, attempts, isInbound) === id),
  )
  const indexOf = (id: string): number => lanes.findIndex((lane) => lane.id === id)
  const placed = entries.map((entry) => ({ entry, lane: indexOf(laneOf(entry, attempts, isInbound)) }))
  const { xOf, folds, width } = placeTimes(
    [...entries.map(({ at }) => at), ...attempts.flatMap(({ states }) => states.map(({ at }) => at))],
    countCrowds(placed.map(({ entry, lane }) => ({ at: entry.at, lane }))),
  )
  const lastOf = new Map<number, number>()
  const marks = placed.map(({ entry, lane }): Mark => {
    const x = freeX(lastOf, lane, xOf(entry.at))
    return { entryId: entry.entry_id, lane, x, tone: toneOf(entry), label: summaryOf(entry) }
  })
  const bars = attempts.flatMap((attempt) =>
    barsOf(attempt, { lane: indexOf(`provider.${attempt.provider}`), xOf, end: width - edge }),
  )
  return { lanes, marks, bars, folds, width: Math.max(width, ...marks.map(({ x }) => x + edge)) }
}

/** Entries of other kinds belong to Switchyard's lane. */
const lanesOfKinds: Readonly<Record<string, string>> = {
  dispute: 'customer',
  posting: 'ledger',
  adjustment: 'ledger',
  delivery: 'endpoints',
}

function laneOf(entry: TimelineEntry, attempts: readonly Attempt[], isInbound: boolean): string {
  if (entry.kind === 'request' && isInbound) return 'customer'
  const provider = providerOf(entry, attempts)
  return provider === undefined ? (lanesOfKinds[entry.kind] ?? 'switchyard') : `provider.${provider}`
}

function toneOf({ kind, data }: TimelineEntry): Tone {
  if (kind === 'attempt') return attemptTones[textOf(data['state']) ?? ''] ?? 'neutral'
  if (kind === 'exception' || kind === 'dispute') return 'wait'
  if (kind === 'delivery') return deliveryTones[textOf(data['status']) ?? ''] ?? 'neutral'
  return 'neutral'
}

/** For each time, how many marks are drawn next to the first mark of their lane. */
function countCrowds(marks: readonly { at: string; lane: number }[]): Map<number, number> {
  const crowds = new Map<number, number>()
  for (const [, together] of Map.groupBy(marks, ({ at, lane }) => `${lane} ${at}`)) {
    const time = Date.parse(together[0]?.at ?? '')
    crowds.set(time, Math.max(crowds.get(time) ?? 0, together.length - 1))
  }
  return crowds
}

/** Maps each time to a distance from the left in pixels, with room for marks that are side by side. */
function placeTimes(
  moments: readonly string[],
  crowds: ReadonlyMap<number, number>,
): {
  xOf: (at: string) => number
  folds: Fold[]
  width: number
} {
  const times = [...new Set(moments.map((at) => Date.parse(at)))].toSorted((a, b) => a - b)
  const places = new Map<number, number>()
  const folds: Fold[] = []
  let x = edge
  times.forEach((time, index) => {
    const gap = time - (times[index - 1] ?? time)
    if (gap > idleMs) {
      folds.push({ x: x + edge, width: foldWidth - 2 * edge, ms: gap })
      x += foldWidth
    } else if (index > 0)
      x += Math.min(mostGap, leastGap + widthPerDecade * Math.max(0, Math.log10(gap / 10)))
    places.set(time, x)
    x += markWidth * (crowds.get(time) ?? 0)
  })
  return { xOf: (at) => places.get(Date.parse(at)) ?? edge, folds, width: x + edge }
}

/** The smallest touch target. */
const markWidth = 24

/** Marks of the same time are drawn side by side, so that no mark covers another. */
function freeX(lastOf: Map<number, number>, lane: number, x: number): number {
  const last = lastOf.get(lane)
  const free = last === undefined ? x : Math.max(x, last + markWidth)
  lastOf.set(lane, free)
  return free
}

function barsOf(
  { entryId, states }: Attempt,
  { lane, xOf, end }: { lane: number; xOf: (at: string) => number; end: number },
): Bar[] {
  return states.flatMap(({ state, at }, index) => {
    const next = states[index + 1]
    const isOpen = next === undefined && ['sending', 'accepted', 'unknown'].includes(state)
    if (next === undefined && !isOpen) return []
    const x = xOf(at)
    const until = next === undefined ? end : xOf(next.at)
    return [
      { entryId, lane, x, width: Math.max(4, until - x), tone: state === 'unknown' ? 'unknown' : 'neutral' },
    ]
  })
}
