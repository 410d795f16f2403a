import { z } from 'zod'
import { fieldsOf } from './compare.ts'
import * as spec from './fields.ts'

const types: Readonly<Record<string, z.ZodType>> = {
  string: z.string(),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
  array: z.array(z.unknown()),
  object: z.record(z.string(), z.unknown()),
  'date-time': z.iso.datetime(),
}

/** The schema of a field table, independent of the server's own schemas. `closer` narrows some of its fields. */
export function shapeOf(
  shape: spec.SpecShape,
  closer: Readonly<Record<string, z.ZodType>> = {},
): z.ZodObject {
  const fields = fieldsOf(shape).map(({ name, type, isNullable, mayBeMissing }) => {
    const known = closer[name] ?? types[type]
    if (!known) throw new Error(`the field tables have no type ${type}`)
    const value = isNullable ? known.nullable() : known
    return [name, mayBeMissing ? value.optional() : value] as const
  })
  return z.object(Object.fromEntries(fields))
}

export const text = z.string()
export const nullable = text.nullable()
export const success = (data: z.ZodType) => z.object({ status: z.literal('success'), data })
export const cursorMeta = z.object({ count: z.int(), last_evaluated_key: nullable })

export const oneOf = (values: readonly string[]) => z.enum(values)
const money = z.object({
  amount: z.number(),
  currency: text,
  target_amount: z.number(),
  target_currency: text,
  metadata: z.record(z.string(), z.unknown()).nullable(),
})
export const initiation = z.object({
  statusCode: z.literal(200),
  response: shapeOf(spec.initiationResponse, {
    next_action: oneOf(spec.specValues.next_action),
    payment_data: money,
  }),
})
export const ramp = z.object({
  statusCode: z.literal(200),
  response: shapeOf(spec.rampResponse, {
    direction: oneOf(['on_ramp', 'off_ramp']),
    status: z.literal('pending'),
    next_action: z.literal('make_transfer'),
    payment_instructions: z.object({
      type: z.literal('bank_transfer'),
      account_name: text,
      account_number: text,
      bank_name: text,
      amount: z.number(),
      currency: text,
      reference: text,
    }),
  }),
})
export const record = shapeOf(spec.paymentRecord, {
  status: oneOf(spec.specValues.status),
  direction: oneOf(spec.specValues.direction),
  payment_method: oneOf(spec.specValues.payment_method),
  payment_path_method: oneOf(['direct', 'intermediary', 'third_party']),
  fee_ids: z.array(text),
})
const webhook = shapeOf(spec.webhook, { events: z.array(text) })
/** The secret appears only in the answer that creates it. */
export const createdWebhook = webhook.extend({ secret_key: text })
export const listedWebhook = webhook.extend({ secret_key: z.undefined().optional() })
export const milestone = shapeOf(spec.milestone, {
  status: z.literal('pending'),
  parties: z
    .array(z.object({ party_id: text, split_type: z.literal('percentage'), split_value: z.number() }))
    .min(1),
})
