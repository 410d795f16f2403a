import { describe, expect, it } from 'vitest'
import { indexedDataset, queriesOf, toHits, versionIdOf } from './rules.ts'
import type { ScoredEntity } from './schema.ts'

describe('a query', () => {
  it('without a date of birth is about anybody', () => {
    expect(queriesOf({ name: 'Oluakin Nduezemi', country: 'NG' })).toEqual({
      anybody: { schema: 'LegalEntity', properties: { name: ['Oluakin Nduezemi'], country: ['ng'] } },
    })
  })

  it('with a date of birth is about a person, and about an organisation without it', () => {
    expect(queriesOf({ name: 'Oluakin Nduezemi', dateOfBirth: '1948-12-10' })).toEqual({
      person: {
        schema: 'Person',
        properties: { name: ['Oluakin Nduezemi'], birthDate: ['1948-12-10'] },
      },
      organisation: { schema: 'Organization', properties: { name: ['Oluakin Nduezemi'] } },
    })
  })

  it.each([
    ['a look-alike', 'Oluаkin Nduezemi', 'oluakin nduezemi'],
    ['a character that is not seen', 'Olu\u200bakin Nduezemi', 'oluakin nduezemi'],
    ['marks within a word', 'O-lu-akin Nduezemi', 'oluakin nduezemi'],
    ['another script', 'Олуакин Ндуеземи', 'oluakin nduezemi'],
  ])('has the name also without %s', (_title, name, plain) => {
    const { anybody } = queriesOf({ name })
    expect(anybody?.properties['name']?.[0]).toBe(name)
    expect(anybody?.properties['name']).toContain(plain)
  })
})

const result = (change: Partial<ScoredEntity> = {}): ScoredEntity => ({
  id: 'NK-1',
  caption: 'Oluakin Nduezemi',
  schema: 'Person',
  properties: { name: ['Oluakin Nduezemi'] },
  datasets: ['us_ofac_sdn'],
  score: 0.95,
  match: true,
  ...change,
})
const versionId = versionIdOf('sanctions', '1')

describe('a hit', () => {
  it('is the whole entry, because it is not in the database', () => {
    const properties = {
      name: ['Oluakin Nduezemi'],
      alias: ['The Owl'],
      birthDate: ['1948-12-10', '1950'],
      nationality: ['ng', 'suhh'],
      topics: ['sanction'],
      programId: ['US-GLOMAG'],
      addressEntity: [{ id: 'addr-1', schema: 'Address' }],
    }
    expect(toHits([result({ properties })], versionId)).toEqual([
      {
        entry: {
          versionId,
          source: 'yente',
          entryId: 'NK-1',
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          birthDates: ['1948-12-10', '1950'],
          countries: ['NG'],
        },
        score: 0.95,
        listed: {
          entryId: 'NK-1',
          kind: 'person',
          names: ['Oluakin Nduezemi', 'The Owl'],
          birthDates: ['1948-12-10', '1950'],
          countries: ['NG'],
          programmes: ['US-GLOMAG', 'sanction', 'us_ofac_sdn'],
        },
      },
    ])
  })

  it.each([
    ['a match below our own score', { score: 0.71, match: true }, 1],
    ['a high score that the server does not call a match', { score: 0.9, match: false }, 1],
    ['neither', { score: 0.89, match: false }, 0],
  ])('is decided by match or score: %s', (_title, change, count) => {
    expect(toHits([result(change)], versionId)).toHaveLength(count)
  })

  it('is each entity once, the best first', () => {
    const found = toHits([result({ score: 0.8 }), result({ id: 'NK-2', score: 0.9 }), result()], versionId)
    expect(found.map(({ entry, score }) => [entry.entryId, score])).toEqual([
      ['NK-1', 0.95],
      ['NK-2', 0.9],
    ])
  })

  it('has a fingerprint that changes with the content of the entry and not with the order of its values', () => {
    const fingerprintOf = (...names: string[]): string | undefined =>
      toHits([result({ properties: { name: names } })], versionId)[0]?.entry.fingerprint
    expect(fingerprintOf('A', 'B')).toBe(fingerprintOf('B', 'A'))
    expect(fingerprintOf('A', 'B')).not.toBe(fingerprintOf('A', 'C'))
  })

  it.each([
    ['Person', 'person'],
    ['Company', 'organisation'],
    ['LegalEntity', 'organisation'],
    ['Vessel', 'vessel'],
  ])('of a %s is a %s', (schema, kind) => {
    expect(toHits([result({ schema })], versionId)[0]?.listed?.kind).toBe(kind)
  })
})

describe('the indexed version', () => {
  const collection = { name: 'default', index_version: '20260127125418-igl', children: ['sanctions'] }
  const sanctions = { name: 'sanctions', version: '20260128', children: ['us_ofac_sdn'] }
  const ofac = { name: 'us_ofac_sdn', children: [] }

  it('of a part is that of the collection that was indexed', () => {
    expect(indexedDataset([collection, sanctions, ofac], 'us_ofac_sdn')).toEqual({
      version: 'default:20260127125418-igl',
      exportedAt: new Date('2026-01-27T12:54:18Z'),
    })
  })

  it('of a collection is those of its indexed parts, whatever their order', () => {
    const parts = [
      { name: 'eu_fsf', index_version: '20260126000000' },
      { ...ofac, index_version: '20260125000000-abc' },
      { name: 'sanctions', children: ['us_ofac_sdn', 'eu_fsf'] },
    ]
    const indexed = {
      version: 'eu_fsf:20260126000000 us_ofac_sdn:20260125000000-abc',
      exportedAt: new Date('2026-01-26T00:00:00Z'),
    }
    expect(indexedDataset(parts, 'sanctions')).toEqual(indexed)
    expect(indexedDataset(parts.toReversed(), 'sanctions')).toEqual(indexed)
  })

  it('is not that of another dataset', () => {
    const other = { name: 'peps', index_version: '20260127125418-igl' }
    expect(indexedDataset([other, sanctions, ofac], 'sanctions')).toBeUndefined()
    expect(indexedDataset([other], 'sanctions')).toBeUndefined()
  })

  it('may say nothing about its time, and a catalog may contain itself', () => {
    const looped = { name: 'sanctions', index_version: 'static', children: ['sanctions'] }
    expect(indexedDataset([looped], 'sanctions')).toEqual({
      version: 'sanctions:static',
      exportedAt: undefined,
    })
  })

  it('has an id that is a uuid, and another one for another dataset or version', () => {
    expect(versionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    const ids = [versionId, versionIdOf('sanctions', '2'), versionIdOf('default', '1')]
    expect(new Set(ids).size).toBe(3)
    expect(versionIdOf('sanctions', '1')).toBe(versionId)
  })
})
