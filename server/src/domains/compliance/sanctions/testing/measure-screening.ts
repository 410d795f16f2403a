import { buildIndex, type NamedEntry } from '../build-index.ts'
import { createMatcher } from '../match-name.ts'
import { createDice, inventEntry, inventPerson, type InventedPerson } from './invent-people.ts'
import { listedName, variations } from './vary-names.ts'

export interface Measurement {
  entries: number
  names: number
  buildMs: number
  heapMegabytes: number
  recall: { variation: string; asked: number; found: number }[]
  strangers: { asked: number; withHit: number; withDateOfBirth: number }
  /** Processor time, so that other work of the machine does not count. */
  latency: { asked: number; p50Ms: number; p99Ms: number; slowestMs: number }
}

interface Sizes {
  entries: number
  perVariation: number
  strangers: number
}

/** Figures about the matcher, with a list of invented people. */
export async function measureScreening({ entries, perVariation, strangers }: Sizes): Promise<Measurement> {
  const dice = createDice(1)
  const people: { person: InventedPerson; entryId: string }[] = []
  let names = 0
  function* invented(): Generator<NamedEntry> {
    for (let at = 0; at < entries; at++) {
      const { person, entry } = inventEntry(dice, String(at), listedName)
      people.push({ person, entryId: entry.entryId })
      names += entry.names.length
      const { birthDates, countries } = entry
      yield {
        versionId: '',
        source: 'ofac',
        entryId: entry.entryId,
        fingerprint: '',
        birthDates,
        countries,
        names: entry.names,
      }
    }
  }
  const heapBefore = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
  const startedAt = performance.now()
  const index = await buildIndex(invented())
  const buildMs = performance.now() - startedAt
  const heapAfter = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
  const find = createMatcher(index)
  const times: number[] = []
  const timed = (person: Parameters<typeof find>[0]) => {
    const began = process.cpuUsage()
    const hits = find(person)
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1_000)
    return hits
  }
  const recall = Object.entries(variations).map(([variation, vary]) => {
    const varied = createDice(2)
    let [asked, found] = [0, 0]
    for (let tries = 0; asked < perVariation && tries < perVariation * 20; tries++) {
      const { person, entryId } = varied.pick(people)
      const name = vary(person, varied)
      if (name === undefined) continue
      asked++
      if (timed({ name }).some(({ entry }) => entry.entryId === entryId)) found++
    }
    return { variation, asked, found }
  })
  return {
    entries,
    names,
    buildMs,
    heapMegabytes: (heapAfter - heapBefore) / 1_000_000,
    recall,
    strangers: screenStrangers(timed, people, strangers),
    latency: latencyOf(times),
  }
}

function screenStrangers(
  find: ReturnType<typeof createMatcher>,
  people: readonly { person: InventedPerson }[],
  count: number,
): Measurement['strangers'] {
  const listed = new Set(people.map(({ person }) => listedName(person)))
  const dice = createDice(3)
  const result = { asked: 0, withHit: 0, withDateOfBirth: 0 }
  while (result.asked < count) {
    const person = inventPerson(dice)
    const name = listedName(person)
    if (listed.has(name)) continue
    result.asked++
    const { dateOfBirth, country } = person
    if (find({ name }).length > 0) result.withHit++
    if (find({ name, dateOfBirth, country }).length > 0) result.withDateOfBirth++
  }
  return result
}

function latencyOf(times: number[]): Measurement['latency'] {
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { asked: sorted.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99), slowestMs: quantile(1) }
}
