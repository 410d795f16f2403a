import type { Document, JsonSchema } from './document.ts'
import { mapObjects } from './map-objects.ts'

/** What a field of this name holds, for schemas that show no value of their own. */
const valuesByName: Readonly<Record<string, string | number>> = {
  account_name: 'Ngozi Eze',
  account_number: '0690000049',
  bank_code: '044',
  bank_name: 'Access Bank',
  client_reference: 'INV-2026-0042',
  country: 'NG',
  crypto_currency: 'USDC',
  crypto_network: 'BASE',
  currency: 'NGN',
  description: 'Invoice 42',
  email: 'ngozi@example.com',
  endpoint_url: 'https://example.com/hook',
  fiat_currency: 'NGN',
  first_name: 'Ngozi',
  fname: 'Ngozi',
  fromCurrency: 'GBP',
  last_evaluated_key: 'eyJ2IjoxLCJwIjoi…',
  lastEvaluatedKey: 'eyJ2IjoxLCJwIjoi…',
  last_name: 'Eze',
  lname: 'Eze',
  message: 'Done.',
  name: 'Ngozi Eze',
  payer_currency: 'NGN',
  phone: '2348012345678',
  phone_number: '2348012345678',
  provider: 'paystack',
  reference: '0198c0de-7a1b-7c3d',
  request_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
  statusCode: 200,
  target_currency: 'NGN',
  toCurrency: 'NGN',
  user_id: 'auth0|6650f1c2',
}

/** Gives fields a value to show in the reference page, instead of the word "string". */
export const showValues = (document: Document): Document =>
  mapObjects(document, (object) => {
    const { properties } = object
    if (typeof properties !== 'object' || properties === null) return object
    const shown = Object.entries(properties).map(([name, schema]) => [name, withValue(name, schema)])
    return { ...object, properties: Object.fromEntries(shown) }
  }) as unknown as Document // only examples are added

function withValue(name: string, schema: unknown): unknown {
  const value = Object.hasOwn(valuesByName, name) ? valuesByName[name] : undefined
  if (value === undefined || typeof schema !== 'object' || schema === null) return schema
  return isBare(schema, typeof value === 'number' ? 'integer' : 'string')
    ? { ...schema, example: value }
    : schema
}

/** Of the type, and without any rule that the value could break. */
function isBare(schema: JsonSchema | object, wanted: string): boolean {
  const { type, description: _, minLength: __, maxLength: ___, ...rules } = schema as JsonSchema // a JSON object
  return [type].flat().includes(wanted) && Object.keys(rules).length === 0
}
