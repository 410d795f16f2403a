import { z } from 'zod'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { policyDocument } from '../policies/schema.ts'
import type { CorridorResult, Performance, Simulation, SimulationResult } from './record.ts'

export const simulateBody = z
  .object({
    policy: policyDocument,
    from: dateTime.meta({ description: 'At most 90 days ago.' }),
    to: dateTime.nullish().meta({ description: 'By default now.' }),
  })
  .refine(({ from, to }) => to === undefined || to === null || Date.parse(from) < Date.parse(to), {
    path: ['to'],
    message: 'must be after from',
  })

export const simulationParams = z.object({ simulation_id: uuid })

const decimal = z.number().meta({ format: 'decimal' })
const estimate = z
  .object({ value: decimal, low: decimal, high: decimal })
  .nullable()
  .meta({ description: 'With the range that holds with a probability of 95 %; null without data.' })

const performance = z.object({
  success_rate: estimate,
  cost_share: estimate.meta({ description: 'The mean share of the amount that the provider charges.' }),
  cost_known_for: z.int().meta({ description: 'Payments whose cost is known.' }),
})

const corridor = z.object({
  direction: z.enum(['payin', 'payout']),
  payment_method: z.string(),
  country: z.string(),
  card_brand: z.string().nullable(),
  payments: z.int(),
  moved: z.int().meta({ description: 'Payments that would have gone to another account first.' }),
  without_data: z.int().meta({
    description: 'Of those, the ones whose new account has no data here. The rate leaves them out.',
  }),
  before: performance,
  after: performance,
  accounts: z.array(
    z.object({
      account_id: uuid,
      provider: z.string(),
      payments_before: z.int(),
      payments_after: z.int(),
      observed: z.int().meta({ description: 'First attempts that its success rate rests on.' }),
      success_rate: estimate,
    }),
  ),
})

const result = z.object({
  payments: z.int(),
  skipped: z.int().meta({ description: 'Payments that were never sent, or have no stored candidates.' }),
  moved: z.int(),
  without_data: z.int(),
  is_truncated: z.boolean(),
  before: performance.meta({ description: 'As it was measured.' }),
  after: performance.meta({ description: 'As the policy is expected to do.' }),
  corridors: z.array(corridor),
  notes: z.array(z.string()).meta({ description: 'What the figures do not show.' }),
})

const simulation = z
  .object({
    simulation_id: uuid,
    status: z.enum(['queued', 'running', 'completed', 'failed']),
    from: dateTime,
    to: dateTime,
    progress: z.object({
      payments_read: z.int(),
      payments_total: z.int().nullable().meta({ description: 'Null until they are counted.' }),
    }),
    result: result.nullable(),
    failure: z.string().nullable(),
    created_at: dateTime,
    finished_at: dateTime.nullable(),
  })
  .meta({ id: 'RoutingSimulation' })

export const simulationResponse = success(simulation)

export const fromSimulate = (
  { policy, from, to }: z.infer<typeof simulateBody>,
  now: Date,
): Pick<Simulation, 'policy' | 'from' | 'to'> => ({
  policy,
  from: new Date(from),
  to: to === undefined || to === null ? now : new Date(to),
})

const toPerformance = ({ successRate, costShare, costKnownFor }: Performance) => ({
  success_rate: rounded(successRate),
  cost_share: rounded(costShare),
  cost_known_for: costKnownFor,
})

const digits = 6
const round = (value: number): number => Number(value.toFixed(digits))
const rounded = (value: Performance['successRate']) =>
  value && { value: round(value.value), low: round(value.low), high: round(value.high) }

const toCorridor = (one: CorridorResult): z.input<typeof corridor> => ({
  direction: one.direction,
  payment_method: one.method,
  country: one.country,
  card_brand: one.cardBrand,
  payments: one.payments,
  moved: one.moved,
  without_data: one.withoutData,
  before: toPerformance(one.before),
  after: toPerformance(one.after),
  accounts: one.accounts.map((account) => ({
    account_id: account.accountId,
    provider: account.provider,
    payments_before: account.paymentsBefore,
    payments_after: account.paymentsAfter,
    observed: account.observed,
    success_rate: rounded(account.successRate),
  })),
})

const toResult = (of: SimulationResult): z.input<typeof result> => ({
  payments: of.payments,
  skipped: of.skipped,
  moved: of.moved,
  without_data: of.withoutData,
  is_truncated: of.isTruncated,
  before: toPerformance(of.before),
  after: toPerformance(of.after),
  corridors: of.corridors.map(toCorridor),
  notes: of.notes,
})

export const toSimulation = (of: Simulation): z.input<typeof simulationResponse> =>
  ok('What the policy would have done.', {
    simulation_id: of.simulationId,
    status: of.status,
    from: of.from.toISOString(),
    to: of.to.toISOString(),
    progress: { payments_read: of.paymentsRead, payments_total: of.paymentsTotal },
    result: of.result && toResult(of.result),
    failure: of.failure,
    created_at: of.createdAt.toISOString(),
    finished_at: of.finishedAt?.toISOString() ?? null,
  })
