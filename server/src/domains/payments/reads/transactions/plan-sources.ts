import type { Tx } from '../../../../kernel/db/database.ts'
import { createTermHash } from '../search/rules.ts'
import { countFacets, countTerm, hasMoreMatches, sortByRarity } from '../search/store.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { Facet, Source, TransactionFilters } from './record.ts'
import {
  hasFacetFilter,
  hasRange,
  lateAfterMs,
  matchFacets,
  minorOf,
  readFacet,
  readSearch,
} from './rules.ts'
import { countAmountRange, selectFacets } from './store.ts'

/** A range with more payments is so common that the newest of them are found soon. */
const narrowRange = 10_000

interface SourcePlan {
  sources: Source[]
  /** More payments begin with the text than are considered. */
  isPartial: boolean
}

interface Search {
  key: KeyRing
  /** Whether the caller may find people by their phone number or e-mail address. */
  isByContact: boolean
  /** The operator, who sees our references at accounts of the installation. */
  isOperators: boolean
}

/** Decides by which indexes the payments are found, so that none is walked past millions of others. */
export async function planSources(
  tx: Tx,
  orgId: string,
  filters: TransactionFilters,
  search: Search,
): Promise<SourcePlan> {
  if (filters.q !== undefined) return planSearch(tx, orgId, { ...search, filters, q: filters.q })
  const { updatedSince } = filters
  if (filters.clientReference !== undefined || filters.beneficiaryId !== undefined)
    return whole([{ kind: 'walk' }])
  if (await isNarrowRange(tx, orgId, filters)) return whole([{ kind: 'amountRange' }])
  if (isExactAmount(filters)) return whole([{ kind: 'walk' }])
  if (!updatedSince) return whole(await planWalk(tx, orgId, filters, undefined))
  // What is older than this and has changed since then has changed late.
  const createdFrom = new Date(updatedSince.getTime() - lateAfterMs)
  const walk = await planWalk(tx, orgId, filters, createdFrom)
  return whole([...walk, ...walk.map((source) => lateUpdatesOf(source, createdFrom))])
}

const lateUpdatesOf = (walk: Source, createdBefore: Date): Source =>
  walk.kind === 'facets'
    ? { kind: 'lateUpdates', createdBefore, facets: [...walk.ended, ...walk.open] }
    : { kind: 'lateUpdates', createdBefore }

const whole = (sources: Source[]): SourcePlan => ({ sources, isPartial: false })

async function planWalk(
  tx: Tx,
  orgId: string,
  filters: TransactionFilters,
  createdFrom: Date | undefined,
): Promise<Source[]> {
  const since = createdFrom ? { createdFrom } : {}
  if (!hasFacetFilter(filters)) return [{ kind: 'walk', ...since }]
  const matching = matchFacets(await readFacets(tx, orgId), filters)
  const texts = (facets: readonly Facet[]): string[] => facets.map((one) => one.text)
  const ended = texts(matching.filter((one) => one.ended))
  const open = texts(matching.filter((one) => !one.ended))
  return matching.length === 0 ? [] : [{ kind: 'facets', ended, open, ...since }]
}

const readFacets = async (tx: Tx, orgId: string): Promise<Facet[]> =>
  (await selectFacets(tx, orgId)).map(readFacet)

async function isNarrowRange(tx: Tx, orgId: string, filters: TransactionFilters): Promise<boolean> {
  if (!hasRange(filters) || isExactAmount(filters)) return false
  return (await countAmountRange(tx, orgId, filters, narrowRange + 1)) <= narrowRange
}

/** The payments of one amount are in the order of the list, however many there are. */
const isExactAmount = ({ currency = '', minAmount, maxAmount }: TransactionFilters): boolean =>
  minAmount !== undefined &&
  maxAmount !== undefined &&
  minorOf(minAmount, currency) === minorOf(maxAmount, currency)

/** Shorter texts match so many of the providers' ids that none of them is meant. */
const shortestReference = 3

async function planSearch(
  tx: Tx,
  orgId: string,
  { filters, q, key, isByContact, isOperators }: Search & { filters: TransactionFilters; q: string },
): Promise<SourcePlan> {
  const facets = await readFacets(tx, orgId)
  const meaning = readSearch(q, facets)
  const hash = createTermHash(key, orgId)
  const { idRange, referencePrefix: prefix, nameWords, amounts } = meaning
  const { email, phones } = isByContact ? meaning : { email: undefined, phones: [] }
  const words = nameWords.map((word) => hash('name', word))
  const name = words.length > 1 ? await sortByRarity(tx, orgId, words) : words
  const sources: Source[] = [
    { kind: 'clientReferences', prefix },
    ...(prefix.length >= shortestReference
      ? [{ kind: 'providerReferences', prefix, isOperators } as const]
      : []),
    ...(idRange
      ? [{ kind: 'ids', ...idRange } as const, { kind: 'attemptIds', ...idRange, isOperators } as const]
      : []),
    ...(email === undefined ? [] : [{ kind: 'terms', terms: [hash('email', email)] } as const]),
    ...(name.length > 0 ? [{ kind: 'terms', terms: name } as const] : []),
    ...phones.map((phone) => ({ kind: 'terms', terms: [hash('phone', phone)] }) as const),
    ...(amounts.length > 0 ? [{ kind: 'amounts', amounts } as const] : []),
  ]
  const isPartial = await hasMoreMatches(tx, orgId, sources)
  if (!hasFacetFilter(filters)) return { sources, isPartial }
  const matching = matchFacets(facets, filters).map((one) => one.text)
  return { sources: await narrowTerms(tx, orgId, sources, matching), isPartial }
}

/** More payments than this are not compared: a common term meets common facets soon. */
const narrowFacets = 5_000

/** Looks for the terms among the payments of the facets, where those are fewer than the payments with the term. */
async function narrowTerms(
  tx: Tx,
  orgId: string,
  sources: readonly Source[],
  facets: readonly string[],
): Promise<Source[]> {
  const inFacets = await countFacets(tx, orgId, facets, narrowFacets)
  const planned: Source[] = []
  for (const source of sources) {
    const isNarrower =
      source.kind === 'terms' && inFacets < (await countTerm(tx, orgId, source.terms[0], narrowFacets))
    planned.push(isNarrower ? { ...source, facets } : source)
  }
  return planned
}
