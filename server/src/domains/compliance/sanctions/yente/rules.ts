import { derivedId } from '../../../../lib/ids.ts'
import { otherReadings } from '../../../../lib/names/name-words.ts'
import { romanise } from '../../../../lib/names/romanise.ts'
import { fingerprintOf, toEntry } from '../lists/rules.ts'
import type { EntryKind, Hit, ListEntry, Person } from '../record.ts'
import { hitScore } from '../rules.ts'
import type { IndexedDataset } from './record.ts'
import type { CatalogDataset, EntityQuery, ScoredEntity } from './schema.ts'

/** The server compares ten times as many entities with each name, which takes most of the time of a search. */
export const hitsLimit = 10

/**
 * What contradicts a match takes less from the score than yente's own weights would. Whoever evades a list chooses the
 * country of the account and states the date of birth, so neither may hide a name that is exactly the listed one.
 */
export const scoringWeights = { country_mismatch: 0, dob_year_disjoint: -0.1, dob_day_disjoint: 0 } as const

/**
 * Only people have a date of birth, and a query about people finds no organisations, so a person with a date of birth is
 * asked about twice: otherwise an invented date would hide a company.
 */
export function queriesOf({ name, dateOfBirth, country }: Person): Record<string, EntityQuery> {
  const known = {
    name: spellingsOf(name),
    ...(country !== undefined && { country: [country.toLowerCase()] }),
  }
  if (dateOfBirth === undefined) return { anybody: { schema: 'LegalEntity', properties: known } }
  return {
    person: { schema: 'Person', properties: { ...known, birthDate: [dateOfBirth] } },
    organisation: { schema: 'Organization', properties: known },
  }
}

/** The name as it was written and, if that is another one, without disguises such as look-alikes and split words. */
function spellingsOf(name: string): string[] {
  const plain = romanise(name)
  const others = [plain, ...otherReadings(name).map(({ words }) => words.join(' '))]
  return [name, ...new Set(others.filter((other) => other !== name.toLowerCase() && other !== ''))]
}

/** The best first, and each entity once. */
export function toHits(results: readonly ScoredEntity[], versionId: string): Hit[] {
  const best = new Map<string, ScoredEntity>()
  for (const result of results) {
    const known = best.get(result.id)
    if ((result.match || result.score >= hitScore) && (!known || known.score < result.score))
      best.set(result.id, result)
  }
  return [...best.values()]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, hitsLimit)
    .map((result) => toHit(result, versionId))
}

function toHit(result: ScoredEntity, versionId: string): Hit {
  const listed = entryOf(result)
  const { entryId, birthDates, countries } = listed
  const entry = {
    versionId,
    source: 'yente' as const,
    entryId,
    fingerprint: fingerprintOf(listed),
    birthDates,
    countries,
  }
  return { entry, score: Math.min(1, Math.max(0, Math.round(result.score * 1000) / 1000)), listed }
}

/** The order of its values has no meaning to yente, so they are sorted: the fingerprint must not change with it. */
function entryOf({ id, caption, schema, properties, datasets }: ScoredEntity): ListEntry {
  const valuesOf = (...names: string[]): string[] =>
    names
      .flatMap((name) => properties[name] ?? [])
      .filter((value) => typeof value === 'string')
      .toSorted()
  return toEntry({
    entryId: id,
    kind: kindOf(schema),
    names: [caption, ...valuesOf('name', 'alias', 'weakAlias', 'previousName')],
    birthDates: valuesOf('birthDate'),
    countries: valuesOf('nationality', 'citizenship', 'country', 'jurisdiction'),
    programmes: [...valuesOf('programId', 'topics'), ...datasets.toSorted()],
  })
}

const kindsBySchema: Readonly<Record<string, EntryKind>> = {
  Person: 'person',
  Vessel: 'vessel',
  Airplane: 'vessel',
  Vehicle: 'vessel',
}
const kindOf = (schema: string): EntryKind => kindsBySchema[schema] ?? 'organisation'

/**
 * A server may have indexed the dataset itself, a collection that contains it, or only its parts. Undefined if it has
 * none of them.
 */
export function indexedDataset(
  datasets: readonly CatalogDataset[],
  wanted: string,
): IndexedDataset | undefined {
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]))
  if (!byName.has(wanted)) return undefined
  const parts = partsOf(byName, wanted)
  const indexed = datasets
    .flatMap(({ name, index_version: version }) => (version ? [{ name, version }] : []))
    .filter(({ name }) => parts.has(name) || partsOf(byName, name).has(wanted))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (indexed.length === 0) return undefined
  const times = indexed.flatMap(({ version }) => exportTime(version) ?? [])
  return {
    version: indexed.map(({ name, version }) => `${name}:${version}`).join(' '),
    exportedAt: times.length > 0 ? new Date(Math.max(...times)) : undefined,
  }
}

/** The dataset and everything in it. */
function partsOf(byName: ReadonlyMap<string, CatalogDataset>, name: string): ReadonlySet<string> {
  const parts = new Set([name])
  // A set is also read while it grows.
  for (const part of parts) for (const child of byName.get(part)?.children ?? []) parts.add(child)
  return parts
}

/** Versions begin with the time of the export, such as 20260127125418. */
function exportTime(version: string): number | undefined {
  const [year, month, day, hour, minute, second] = [
    version.slice(0, 4),
    version.slice(4, 6),
    version.slice(6, 8),
    version.slice(8, 10),
    version.slice(10, 12),
    version.slice(12, 14),
  ]
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}

/** Derived, so that every process calls the same version the same. */
export const versionIdOf = (dataset: string, version: string): string =>
  derivedId(JSON.stringify(['yente', dataset, version]))
