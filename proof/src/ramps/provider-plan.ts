import { crashPoints } from '@switchyard/server/test/processes/crash-points/points.ts'
import { between, chanceFrom, pick, type Chance } from '../shared/chance.ts'
import type { Move, PartName, ProviderFault, Step } from '../shared/moves.ts'

type Corridor = {
  provider: 'yellowcard' | 'circle'
  country: 'NG' | 'UG' | 'US' | 'DE'
  direction: 'on_ramp' | 'off_ramp'
  fiat: string
  asset: 'USDC' | 'EURC'
  /** The fiat amount of an off-ramp: Circle's simulated customers pay a single crypto amount only. */
  amount: number
}

/** One ramp as its customer intends it. All random choices about it are made here. */
export type PlannedRamp = {
  index: number
  corridor: Corridor
  /** The last digits of the account or phone number, which select the simulator's behaviour. */
  tail: string
  amount: number
  wallet: string
  /** The customer pays more than the quote, which raises an exception. */
  paysTooMuch: boolean
}

/** Fast providers race our own commit; slow ones leave time for kills in between. */
type ProviderPlan = { ramps: PlannedRamp[]; steps: Step[]; settleMs: number }
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
/** Yellow Card's delivery to the second fails; for the third, the refund of the fiat fails too. */
const wallets = [
  [good, 20],
  ['0x000000000000000000000000000000000000dead', 2],
  ['0x000000000000000000000000000000000000beef', 1],
] as const

/** What happens after acceptance: lost answers, and webhooks that are lost, duplicated or early. */
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
  // Circle is retried until it accepts the ramp, so a loss before acceptance is a temporary fault.
  circle: taken,
} as const

const settleTimes = [
  [20, 1],
  [300, 1],
  [1_000, 1],
] as const

/** A pure function of its options: the same seed gives the same plan. */
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

/** The bank account or phone number of the payer or payee, which is different for each ramp. */
function accountOf({ index, tail, corridor }: PlannedRamp): string {
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

const referenceOf = ({ index }: PlannedRamp): string => `ramp-${index}`

/** The simulator's options for what customers pay to Circle: one wire per payer, one amount per crypto asset. */
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
