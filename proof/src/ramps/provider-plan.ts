import { crashPoints } from '@switchyard/server/testing/crash-points/points.ts'
import { between, chanceFrom, pick, type Chance } from '../shared/chance.ts'
import type { Move, PartName, ProviderFault, Step } from '../shared/moves.ts'

export type Corridor = {
  provider: 'yellowcard' | 'circle'
  country: 'NG' | 'UG' | 'US' | 'DE'
  direction: 'on_ramp' | 'off_ramp'
  fiat: string
  asset: 'USDC' | 'EURC'
  /** What a customer who sells crypto gets: Circle's customers pay their crypto in one amount only. */
  amount: number
}

/** One ramp as its customer means it. Everything random about it is decided here. */
export type PlannedRamp = {
  index: number
  corridor: Corridor
  /** The last digits of the account or phone, by which the simulator knows what shall become of it. */
  tail: string
  amount: number
  wallet: string
  /** More than was asked for, which a person is told. */
  paysTooMuch: boolean
}

/** Providers that are done at once race our own answer; slow ones leave time to die in between. */
export type ProviderPlan = { ramps: PlannedRamp[]; steps: Step[]; settleMs: number }
export type PlanOptions = { ramps: number; kills: number; seed: number }

const ways = [
  { provider: 'yellowcard', country: 'NG', fiat: 'NGN', asset: 'USDC', amount: 150_000 },
  { provider: 'yellowcard', country: 'UG', fiat: 'UGX', asset: 'USDC', amount: 370_000 },
  { provider: 'circle', country: 'US', fiat: 'USD', asset: 'USDC', amount: 1_000 },
  { provider: 'circle', country: 'DE', fiat: 'EUR', asset: 'EURC', amount: 450 },
] as const

const corridors: readonly Corridor[] = ways.flatMap((way) =>
  (['on_ramp', 'off_ramp'] as const).map((direction) => ({ ...way, direction })),
)

const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
/** Yellow Card cannot settle to the second, and to the third not even give the fiat back. */
const wallets = [
  [good, 20],
  ['0x000000000000000000000000000000000000dead', 2],
  ['0x000000000000000000000000000000000000beef', 1],
] as const

/** What becomes of it once it is taken: lost answers, and webhooks that never come, come twice or too early. */
const taken: readonly (readonly [string, number])[] = [
  ['00', 26],
  ['12', 2],
  ['14', 4],
  ['16', 8],
  ['18', 7],
  ['19', 5],
  ['20', 4],
  ['22', 6],
  ['23', 4],
  ['24', 5],
  ['26', 2],
  ['29', 2],
]
const tails = {
  yellowcard: [...taken, ['11', 4], ['17', 5], ['21', 4], ['25', 2], ['27', 2], ['28', 3]],
  // It is asked again until it takes the ramp, so what it never takes is only for a while: see the faults.
  circle: taken,
} as const

const settleTimes = [
  [20, 1],
  [300, 1],
  [1_000, 1],
] as const

/** A pure function of its options: one seed, one plan. */
export function planRamps({ ramps, kills, seed }: PlanOptions): ProviderPlan {
  const chance = chanceFrom(seed)
  return {
    ramps: Array.from({ length: ramps }, (_, index) => planRamp(chance, index)),
    steps: planSteps(chanceFrom(seed ^ 0x5eed), ramps, kills),
    settleMs: pick(chanceFrom(seed ^ 0xfa57), settleTimes),
  }
}

function planRamp(chance: Chance, index: number): PlannedRamp {
  const corridor = pick(
    chance,
    corridors.map((one) => [one, 1] as const),
  )
  const { provider, direction, amount } = corridor
  const isFree = provider === 'yellowcard' || direction === 'on_ramp'
  const tail = pick(chance, tails[provider])
  return {
    index,
    corridor,
    tail,
    amount: isFree ? amount + between(chance, 1, 40) : amount - (chance() < 0.1 ? 5 : 0),
    wallet: provider === 'yellowcard' ? pick(chance, wallets) : good,
    paysTooMuch: chance() < 0.1,
  }
}

const faults: readonly (readonly [Omit<ProviderFault, 'times'>, number])[] = [
  [{ on: 'webhook', fault: 'webhook_drop' }, 4],
  [{ on: 'webhook', fault: 'webhook_duplicate' }, 3],
  [{ on: 'webhook', fault: 'webhook_reorder' }, 3],
  [{ on: 'webhook', fault: 'webhook_delay', ms: 2_000 }, 3],
  [{ on: 'payout', fault: 'timeout_after' }, 4],
  [{ on: 'payout', fault: 'timeout_before' }, 3],
  [{ on: 'payout', fault: 'error_500_accepted' }, 4],
  [{ on: 'payout', fault: 'cut_answer' }, 2],
  [{ on: 'payout', fault: 'decline', reason: 'declined' }, 4],
  [{ on: 'payout', fault: 'decline', reason: 'temporarily_unavailable' }, 2],
  [{ on: 'collect', fault: 'timeout_after' }, 3],
  [{ on: 'collect', fault: 'error_500' }, 2],
  [{ on: 'collect', fault: 'error_500_accepted' }, 2],
  [{ on: 'prepare', fault: 'down' }, 2],
  [{ on: 'inquire', fault: 'timeout_after' }, 2],
]

function planSteps(chance: Chance, ramps: number, kills: number): Step[] {
  const deaths = Array.from({ length: kills }, (): Step => ({
    afterPayments: between(chance, 1, ramps - 1),
    gapMs: between(chance, 0, 1_500),
    move: planDeath(chance),
  }))
  const disturbances = Array.from({ length: Math.ceil(ramps / 3) }, (): Step => ({
    afterPayments: between(chance, 0, ramps - 1),
    gapMs: between(chance, 0, 300),
    move: {
      kind: 'provider',
      provider: chance() < 0.5 ? 'yellowcard' : 'circle',
      faults: Array.from({ length: between(chance, 1, 3) }, () => ({ ...pick(chance, faults), times: 1 })),
    },
  }))
  return [...deaths, ...disturbances].toSorted((a, b) => a.afterPayments - b.afterPayments)
}

function planDeath(chance: Chance): Move {
  const part: PartName = chance() < 0.5 ? 'api-0' : 'worker-0'
  if (chance() < 0.5) return { kind: 'kill', part }
  return {
    kind: 'point',
    part,
    point: pick(
      chance,
      crashPoints.map((point) => [point, 1] as const),
    ),
  }
}

/** The bank account or phone of whoever pays or is paid, their own by the number of the ramp. */
export function accountOf({ index, tail, corridor }: PlannedRamp): string {
  const own = (digits: number): string => String(index).padStart(digits, '0')
  switch (corridor.country) {
    case 'NG':
      return `01${own(6)}${tail}`
    case 'UG':
      return `2567834567${tail}`
    case 'US':
      return `1${own(5)}${tail}`
    case 'DE':
      return `DE3110040048${own(8)}${tail}`
  }
}

const banks = { NG: '044', US: '121000248', DE: 'COBADEFF' } as const

export function bodyOf(ramp: PlannedRamp, clientRate: number): object {
  const { country, direction, fiat, asset } = ramp.corridor
  const account =
    country === 'UG'
      ? { mobile_money_details: { provider: 'MTN', phone_number: accountOf(ramp) } }
      : { bank_details: { account_number: accountOf(ramp), bank_code: banks[country], bank_name: 'A Bank' } }
  return {
    direction,
    fiat_currency: fiat,
    fiat_amount: ramp.amount,
    client_rate: clientRate,
    crypto_currency: asset,
    crypto_network: 'BASE',
    country,
    client_reference: referenceOf(ramp),
    ...account,
    ...(direction === 'on_ramp' ? { wallet_address: ramp.wallet } : { beneficiary_name: 'Grace Hopper' }),
  }
}

export const referenceOf = ({ index }: PlannedRamp): string => `ramp-${index}`

/** What customers pay to Circle, by the option's name: each payer their own wire, every seller of an asset the same. */
export const paymentsToCircle = (ramps: readonly PlannedRamp[]): Record<string, string> =>
  Object.fromEntries(
    ramps
      .filter(({ corridor }) => corridor.provider === 'circle')
      .map((ramp) => {
        const { direction, asset, amount } = ramp.corridor
        return direction === 'on_ramp'
          ? [`customer_pays ${accountOf(ramp)}`, `${ramp.amount + (ramp.paysTooMuch ? 7 : 0)}.00`]
          : [`customer_pays ${asset}`, `${amount}.00`]
      }),
  )
