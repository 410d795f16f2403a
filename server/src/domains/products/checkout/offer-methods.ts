import { prefixesOf } from '@switchyard/checkout/networks.ts'
import type { Money } from '../../../lib/money/money.ts'
import { listNetworks, type NetworkDeps } from '../../providers/networks/list-networks.ts'
import type { CardPolicyDeps } from '../../people/organizations/reads.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import type { RoutingDeps } from '../../payments/initiation/choose-route.ts'
import { listMethods, type OfferedMethod } from '../../payments/initiation/list-methods.ts'

export type OfferDeps = RoutingDeps & NetworkDeps & CardPolicyDeps

interface Offer {
  country: string
  /** The countries that the payer may choose from; only one if the link sets it. */
  countries: string[]
  methods: Pick<OfferedMethod, 'method' | 'takesCard'>[]
  networks: { value: string; name: string; prefixes: string }[]
}

/** The methods that routing would find a provider for in the payer's country. */
export async function offerMethods(
  deps: OfferDeps,
  link: PaymentLink,
  wish: { source: Money | undefined; countries: readonly string[]; home: string },
): Promise<Offer | undefined> {
  const offered = await listMethods(deps, link.orgId, {
    currency: link.payerCurrency,
    source: wish.source,
  })
  const reachable = [...new Set(offered.map(({ country }) => country))]
  const countries = link.country === null ? reachable : reachable.filter((one) => one === link.country)
  const country = [...wish.countries, wish.home].find((one) => countries.includes(one)) ?? countries[0]
  if (country === undefined) return undefined
  const networks = await payinNetworks(deps, link, country)
  const methods = offered.filter(
    (one) => one.country === country && (one.method !== 'mobile_money' || networks.length > 0),
  )
  return methods.length === 0 ? undefined : { country, countries, methods, networks }
}

async function payinNetworks(
  deps: OfferDeps,
  link: PaymentLink,
  country: string,
): Promise<Offer['networks']> {
  const networks = await listNetworks(deps, link.orgId, country)
  const usable = networks.filter(
    ({ currency, directions, status }) =>
      currency === link.payerCurrency && directions.includes('payin') && status !== 'closed',
  )
  const byBrand = new Map(usable.map(({ brand, name }) => [brand, name]))
  return [...byBrand].map(([value, name]) => ({ value, name, prefixes: prefixesOf(country, value) }))
}
