/** Some of Yellow Card's markets, in the form of its sandbox. */
interface Market {
  readonly country: string
  readonly currency: string
  /** Units of local currency per US dollar. */
  readonly buy: string
  readonly sell: string
  readonly types: readonly ('bank' | 'momo')[]
}

export const MARKETS: readonly Market[] = [
  { country: 'NG', currency: 'NGN', buy: '1532.00', sell: '1528.00', types: ['bank'] },
  { country: 'UG', currency: 'UGX', buy: '3700.00', sell: '3690.00', types: ['momo', 'bank'] },
  { country: 'ZA', currency: 'ZAR', buy: '18.17', sell: '18.13', types: ['bank'] },
]

export const channelsOf = (country: string | undefined) =>
  MARKETS.filter((market) => country === undefined || market.country === country).flatMap((market) =>
    market.types.flatMap((channelType) =>
      (['deposit', 'withdraw'] as const).map((rampType) => ({
        id: `${market.country}-${channelType}-${rampType}`,
        country: market.country,
        currency: market.currency,
        channelType,
        rampType,
        status: 'active',
        apiStatus: 'active',
        min: 1,
        max: 1_000_000_000,
        feeLocal: 0,
        feeUSD: 0,
        estimatedSettlementTime: 60,
      })),
    ),
  )

const NETWORKS = [
  { code: 'MTN', name: 'MTN Mobile Money', country: 'UG', accountNumberType: 'phone', channelType: 'momo' },
  { code: 'AIRTEL', name: 'Airtel Money', country: 'UG', accountNumberType: 'phone', channelType: 'momo' },
  { code: '044', name: 'Access Bank', country: 'NG', accountNumberType: 'bank', channelType: 'bank' },
  { code: '058', name: 'Guaranty Trust Bank', country: 'NG', accountNumberType: 'bank', channelType: 'bank' },
  { code: 'STANBIC', name: 'Stanbic Bank', country: 'UG', accountNumberType: 'bank', channelType: 'bank' },
  {
    code: '250655',
    name: 'First National Bank',
    country: 'ZA',
    accountNumberType: 'bank',
    channelType: 'bank',
  },
]

export const networksOf = (country: string | undefined) =>
  NETWORKS.filter((network) => country === undefined || network.country === country).map((network) => ({
    id: `network-${network.country}-${network.code}`,
    code: network.code,
    name: network.name,
    country: network.country,
    status: 'active',
    accountNumberType: network.accountNumberType,
    channelIds: channelsOf(network.country)
      .filter(({ channelType }) => channelType === network.channelType)
      .map(({ id }) => id),
  }))

export const ratesOf = (currency: string | undefined) =>
  MARKETS.filter((market) => currency === undefined || market.currency === currency).map((market) => ({
    code: market.currency,
    locale: market.country,
    buy: Number(market.buy),
    sell: Number(market.sell),
  }))
