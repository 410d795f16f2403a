import { describe, expect, it } from 'vitest'
import { diffOf } from './diff.ts'

describe('diffOf', () => {
  it('names what changed, was added and was removed, by path', () => {
    expect(
      diffOf(
        { name: 'A', address: { city: 'Accra', zip: '1' }, same: [1] },
        { name: 'B', address: { city: 'Lomé' }, same: [1], on: true },
      ),
    ).toEqual([
      { field: 'name', before: 'A', after: 'B' },
      { field: 'address.city', before: 'Accra', after: 'Lomé' },
      { field: 'address.zip', before: '1', after: undefined },
      { field: 'on', before: undefined, after: 'true' },
    ])
  })

  it('takes lists of objects apart, and keeps lists of words together', () => {
    expect(
      diffOf(
        { scopes: ['a', 'b'], policies: [{ currency: 'KES', from: 1 }] },
        { scopes: ['a'], policies: [{ currency: 'KES', from: 2 }] },
      ),
    ).toEqual([
      { field: 'scopes', before: 'a, b', after: 'a' },
      { field: 'policies.0.from', before: '1', after: '2' },
    ])
  })

  it('shows all of what was created, and nothing where nothing is recorded', () => {
    expect(diffOf(null, { name: 'A' })).toEqual([{ field: 'name', before: undefined, after: 'A' }])
    expect(diffOf(null, null)).toEqual([])
  })
})
