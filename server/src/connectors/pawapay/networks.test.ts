import { describe, expect, test } from 'vitest'
import { exponentOf } from '../../lib/money/money.ts'
import { pawapayCredentials } from './credentials.ts'
import { capabilitiesIn } from '../kit/markets.ts'
import { countryCode, networksOf } from './networks.ts'

describe('markets and networks', () => {
  test('the default markets have payins and payouts in valid currencies and countries', () => {
    const { markets } = pawapayCredentials.parse({ apiToken: 't' })
    const capabilities = capabilitiesIn(markets, 'mobile_money', ['payin', 'payout'])
    expect(capabilities).toHaveLength(40)
    for (const { countries, currencies } of capabilities) {
      for (const country of countries) expect(countryCode(country)).toMatch(/^[A-Z]{3}$/)
      for (const currency of currencies) expect(exponentOf(currency)).toBeGreaterThanOrEqual(0)
    }
  })

  const terms = { minAmount: '1', maxAmount: '10', status: 'OPERATIONAL' as const }
  const configuration = (operationTypes: object, country = 'UGA') => ({
    countries: [
      {
        country,
        providers: [
          { provider: 'P', displayName: 'Name', currencies: [{ currency: 'UGX', operationTypes }] },
        ],
      },
    ],
  })
  const common = {
    network: 'P',
    name: 'Name',
    country: 'UG',
    currency: 'UGX',
    minAmount: '1',
    maxAmount: '10',
  }

  test.each([
    [
      'equal terms',
      { DEPOSIT: terms, PAYOUT: terms },
      [{ directions: ['payin', 'payout'], status: 'operational' }],
    ],
    [
      'terms that differ',
      { DEPOSIT: { ...terms, status: 'CLOSED' }, PAYOUT: terms },
      [
        { directions: ['payin'], status: 'closed' },
        { directions: ['payout'], status: 'operational' },
      ],
    ],
    [
      'payouts only',
      { PAYOUT: { ...terms, status: 'DELAYED' } },
      [{ directions: ['payout'], status: 'delayed' }],
    ],
    [
      'a code before the call',
      { DEPOSIT: { ...terms, authType: 'PREAUTH' }, PAYOUT: terms },
      [{ directions: ['payout'], status: 'operational' }],
    ],
    ['nothing', {}, []],
  ])('%s', (_what, operationTypes, offers) => {
    expect(networksOf(configuration(operationTypes), 'UG')).toEqual(
      offers.map((offer) => ({ ...common, ...offer })),
    )
  })

  test('networks of other countries are omitted', () => {
    expect(networksOf(configuration({ PAYOUT: terms }, 'KEN'), 'UG')).toEqual([])
  })
})
