import { nameWords } from '../../../../lib/names/name-words.ts'
import { buildIndex, type NamedEntry } from '../build-index.ts'
import { createMatcher } from '../match-name.ts'
import type { Hit, Person } from '../record.ts'
import { createDice, type Dice } from './dice.ts'
import { disguises } from './disguise-names.ts'
import { inventEntry, type InventedEntry } from './invent-people.ts'
import { inventOrdinaryNames } from './ordinary-names.ts'
import { variations } from './vary-names.ts'

interface Recall {
  kind: string
  asked: number
  /** Found by the name alone, of those that are found so as they are listed. */
  identified: number
  foundByName: number
  /** Found with the date of birth and the country. */
  found: number
}

interface Held {
  group: string
  asked: number
  byName: number
  withSigns: number
}

export interface Measurement {
  entries: number
  names: number
  buildMs: number
  heapMegabytes: number
  disguised: Recall[]
  varied: Recall[]
  ordinary: Held[]
  /** Listed names as they are listed, and ordinary ones, for other thresholds. */
  curve: { bits: number; listed: Recall; ordinary: Omit<Held, 'group'> }[]
  /** Processor time, so that other work of the machine does not count. */
  latency: { asked: number; p50Ms: number; p99Ms: number; slowestMs: number }
}

interface Sizes {
  entries: number
  perKind: number
  /** One ordinary name of so many. */
  every: number
  /** The thresholds of the curve, in bits. */
  thresholds?: readonly number[]
}

type Find = (person: Person) => Hit[]

/** Figures about the matcher, with an invented list that is as alike as the public ones. */
export async function measureScreening({
  entries,
  perKind,
  every,
  thresholds = [],
}: Sizes): Promise<Measurement> {
  const invented: InventedEntry[] = []
  const memory = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
  const dice = createDice(1)
  for (let at = 0; at < entries; at++) invented.push(inventEntry(dice, String(at)))
  const before = memory()
  const startedAt = performance.now()
  const index = await buildIndex(invented.map(toNamed))
  const buildMs = performance.now() - startedAt
  const heapMegabytes = (memory() - before) / 1_000_000
  const { find, times } = timed(createMatcher(index))
  const recallOf = (match: Find, kind: string, write: Kind['write']): Recall =>
    measureRecall(match, invented, { kind, perKind, write })
  const asListed = ({ words }: InventedEntry): string => words.join(' ')
  return {
    entries,
    names: index.entryOf.length,
    buildMs,
    heapMegabytes,
    disguised: Object.entries(disguises).map(([kind, disguise]) =>
      recallOf(find, kind, ({ words }, own) => disguise(words, own)),
    ),
    varied: Object.entries(variations).map(([kind, write]) => recallOf(find, kind, write)),
    ordinary: screenOrdinary(find, every),
    latency: latencyOf(times),
    curve: thresholds.map((bits) => {
      const match = createMatcher(index, bits)
      return {
        bits,
        listed: measureRecall(match, invented, { kind: '', perKind: listedOfCurve, write: asListed }),
        ordinary: sumOf(screenOrdinary(match, every * everyOfCurve)),
      }
    }),
  }
}
const listedOfCurve = 2_000
const everyOfCurve = 4

const sumOf = (all: readonly Held[]): Omit<Held, 'group'> => ({
  asked: all.reduce((sum, { asked }) => sum + asked, 0),
  byName: all.reduce((sum, { byName }) => sum + byName, 0),
  withSigns: all.reduce((sum, { withSigns }) => sum + withSigns, 0),
})

const toNamed = ({ entry }: InventedEntry): NamedEntry => ({
  versionId: '',
  source: 'ofac',
  fingerprint: '',
  entryId: entry.entryId,
  kind: entry.kind,
  birthDates: entry.birthDates,
  countries: entry.countries,
  names: entry.names,
})

function timed(match: Find): { find: Find; times: number[] } {
  const times: number[] = []
  const find: Find = (person) => {
    const began = process.cpuUsage()
    const hits = match(person)
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1_000)
    return hits
  }
  return { find, times }
}

interface Kind {
  kind: string
  perKind: number
  write(this: void, listed: InventedEntry, dice: Dice): string | undefined
}

function measureRecall(
  find: Find,
  invented: readonly InventedEntry[],
  { kind, perKind, write }: Kind,
): Recall {
  const dice = createDice(2)
  const recall: Recall = { kind, asked: 0, identified: 0, foundByName: 0, found: 0 }
  for (let tries = 0; recall.asked < perKind && tries < perKind * 50; tries++) {
    const listed = dice.pick(invented)
    if (nameWords(listed.words.join(' ')).words.length < 2) continue
    const name = write(listed, dice)
    if (name === undefined) continue
    const { entryId, birthDates, countries } = listed.entry
    const isFound = (person: Person): boolean => find(person).some(({ entry }) => entry.entryId === entryId)
    recall.asked++
    if (isFound({ name: listed.words.join(' ') })) {
      recall.identified++
      if (isFound({ name })) recall.foundByName++
    }
    if (isFound({ name, country: countries[0], dateOfBirth: wholeDate(birthDates[0]) })) recall.found++
  }
  return recall
}

/** Of some the list knows the year only. */
const wholeDate = (listed: string | undefined): string | undefined =>
  listed === undefined || listed.length > 4 ? listed : `${listed}-06-15`

function screenOrdinary(find: Find, every: number): Held[] {
  const held = new Map<string, Held>()
  for (const { group, name, dateOfBirth, country } of inventOrdinaryNames(every)) {
    const own = held.get(group) ?? { group, asked: 0, byName: 0, withSigns: 0 }
    held.set(group, own)
    own.asked++
    if (find({ name }).length > 0) own.byName++
    if (find({ name, dateOfBirth, country }).length > 0) own.withSigns++
  }
  return [...held.values()]
}

function latencyOf(times: number[]): Measurement['latency'] {
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { asked: sorted.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99), slowestMs: quantile(1) }
}
