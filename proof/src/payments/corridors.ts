import {
  connectorDefinitions,
  connectorNames,
  type ProviderName,
} from '@switchyard/server/connectors/registry.ts'
import type { Capability, PaymentMethod } from '@switchyard/server/connectors/kit/connector.ts'
import type { Direction } from '@switchyard/server/connectors/kit/state.ts'
import { exponentOf } from '@switchyard/server/lib/money/money.ts'
import { simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'

/** A country in which customers live, and the accounts that they have there. */
type Place = {
  country: string
  currency: string
  network?: string
  /** All but its last two digits. */
  phone?: string
  bank?: { account_number: string; bank_code?: string; sort_code?: string; iban?: string }
}

const places: readonly Place[] = [
  {
    country: 'UG',
    currency: 'UGX',
    network: 'MTN',
    phone: '2567834567',
    bank: { account_number: '9030001234', bank_code: 'UG010000', sort_code: '010001' },
  },
  {
    country: 'KE',
    currency: 'KES',
    network: 'MPESA',
    phone: '2547086635',
    bank: { account_number: '1234567800', bank_code: '68' },
  },
  {
    country: 'GH',
    currency: 'GHS',
    network: 'MTN',
    phone: '2332412345',
    bank: { account_number: '1234567890100', bank_code: '130100', sort_code: '130101' },
  },
  {
    country: 'NG',
    currency: 'NGN',
    network: 'MTN',
    phone: '23480312345',
    bank: { account_number: '0690000049', bank_code: '044' },
  },
  {
    country: 'RW',
    currency: 'RWF',
    network: 'MTN',
    phone: '2507812345',
    bank: { account_number: '4002003001', bank_code: 'RW010000', sort_code: '010001' },
  },
  { country: 'GB', currency: 'GBP', bank: { account_number: '00012300', sort_code: '123456' } },
  {
    country: 'DE',
    currency: 'EUR',
    bank: { account_number: 'DE89370400440532013000', iban: 'DE89370400440532013000' },
  },
  { country: 'US', currency: 'USD', bank: { account_number: '000123400' } },
]

/** A payment method, direction and country, and the providers that offer it. */
export type Corridor = {
  direction: Direction
  method: PaymentMethod
  place: Place
  /** In the order of the first organisation; the second one uses the reverse order. */
  providers: readonly ProviderName[]
}

export const corridorName = ({ direction, method, place }: Corridor): string =>
  `${method} ${direction} ${place.country}`

/** M-PESA supports whole shillings only. */
export const hasCents = ({ method, place }: Pick<Corridor, 'method' | 'place'>): boolean =>
  exponentOf(place.currency) > 0 && !(method === 'mobile_money' && place.country === 'KE')

export const orderFor = (org: 0 | 1, { providers }: Corridor): readonly ProviderName[] =>
  org === 0 ? providers : providers.toReversed()

/** Providers of ramps are tested by `npm run crash:ramps`. */
const isOfRamps = ({ method, direction }: Capability): boolean =>
  method === 'crypto' || direction === 'on_ramp' || direction === 'off_ramp'

const capabilities = connectorNames.flatMap((name): [ProviderName, readonly Capability[]][] => {
  const definition = connectorDefinitions[name]
  const connector = definition.create({
    credentials: definition.credentials.parse(simulatorCredentials('http://simulator.invalid')[name]),
    http: () => Promise.reject(new Error('reading the capabilities must not send a request')),
    clock: { now: () => new Date() },
    webhookUrl: 'http://switchyard.invalid',
  })
  return connector.capabilities.some(isOfRamps) ? [] : [[name, connector.capabilities]]
})

const byHand = 'manual'
const directions = ['payin', 'payout'] as const
const methods = ['mobile_money', 'bank_transfer', 'card'] as const

/** Every corridor that the connectors support in these places; the manual provider fills the gaps. */
export const corridors: readonly Corridor[] = ordered(
  places.flatMap((place) =>
    directions.flatMap((direction) =>
      methods.flatMap((method): Corridor[] => {
        const able = capabilities.flatMap(([provider, list]) =>
          list.some((capability) => isMeant(capability, { direction, method, place })) ? [provider] : [],
        )
        const others = able.filter((provider) => provider !== byHand)
        const isPossible = method === 'mobile_money' ? place.phone !== undefined : able.length > 0
        return isPossible ? [{ direction, method, place, providers: others.length > 0 ? others : able }] : []
      }),
    ),
  ),
)

function isMeant(capability: Capability, { direction, method, place }: Omit<Corridor, 'providers'>): boolean {
  return (
    capability.direction === direction &&
    capability.method === method &&
    capability.countries.includes(place.country) &&
    capability.currencies.includes(place.currency)
  )
}

/** Orders providers with few corridors first, so that each is tried first by one of the organisations. */
function ordered(list: readonly Corridor[]): Corridor[] {
  const offers = Map.groupBy(
    list.flatMap(({ providers }) => providers),
    (provider) => provider,
  )
  const count = (provider: ProviderName): number => offers.get(provider)?.length ?? 0
  return list.map((corridor) => ({
    ...corridor,
    providers: corridor.providers.toSorted((a, b) => count(a) - count(b)),
  }))
}

export const drivenProviders: readonly ProviderName[] = capabilities.map(([provider]) => provider)
