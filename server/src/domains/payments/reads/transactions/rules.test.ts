import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statuses } from '../../lifecycle/rules.ts'
import { idRangeOf, matchFacets, readFacet } from './rules.ts'

const none = {
  q: undefined,
  statuses: undefined,
  direction: undefined,
  paymentMethod: undefined,
  country: undefined,
  currency: undefined,
  provider: undefined,
  clientReference: undefined,
  beneficiaryId: undefined,
  minAmount: undefined,
  maxAmount: undefined,
  updatedSince: undefined,
  from: undefined,
  to: undefined,
}
const open = readFacet('KE KES inbound mobile_money open')
const failed = readFacet('KE KES inbound mobile_money failed pawapay')
const unsent = readFacet('NG NGN outbound bank_transfer canceled ')

describe('matchFacets', () => {
  it.each([
    [{}, [open, failed, unsent]],
    [{ statuses: ['failed'] }, [failed]],
    [{ statuses: ['pending'] }, [open]],
    [{ statuses: ['pending', 'canceled'] }, [open, unsent]],
    [{ provider: 'pawapay' }, [open, failed]],
    [{ provider: 'stripe' }, [open]],
    [{ country: 'NG' }, [unsent]],
    [{ country: 'NG', statuses: ['failed'] }, []],
    [{ direction: 'inbound', paymentMethod: 'mobile_money', currency: 'KES' }, [open, failed]],
  ] as const)('%j', (filters, expected) => {
    expect(matchFacets([open, failed, unsent], { ...none, ...filters })).toEqual(expected)
  })

  it('every status is that of an open payment or of an ended one', () => {
    const ended = statuses.map((status) => readFacet(`KE KES inbound card ${status} stripe`))
    for (const status of statuses)
      expect(matchFacets([open, ...ended], { ...none, statuses: [status] }).length).toBeGreaterThan(0)
  })
})

describe('idRangeOf', () => {
  it('contains the id of every prefix of eight characters or more', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.integer({ min: 8, max: 36 }), (id, length) => {
        const range = idRangeOf(id.slice(0, length))
        expect(range && range.low <= id && id <= range.high).toBe(true)
      }),
    )
  })

  it.each(['', '0198c0d', 'order-12345678', '0198-c0de-7a1b', `${'0'.repeat(33)}`])('not of %j', (text) => {
    expect(idRangeOf(text)).toBeUndefined()
  })
})
