import { beforeAll, expect, it } from 'vitest'
import { fieldsOf } from '../../../test/contract/spec/compare.ts'
import * as spec from '../../../test/contract/spec/fields.ts'
import { useApp } from '../../../test/app/test-app.ts'

interface Node {
  type?: string | string[]
  anyOf?: Node[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  properties?: Record<string, Node>
  required?: string[]
}

const t = useApp()
let schemas: Record<string, Node>
beforeAll(() => {
  const document = t.app.swagger() as unknown as { components: { schemas: Record<string, Node> } }
  schemas = document.components.schemas
})

const resolve = (node: Node | undefined): Node | undefined =>
  node?.$ref === undefined ? node : schemas[node.$ref.split('/').at(-1) ?? '']

/** The JSON types that a field of our documented response can have. */
function typesOf(node: Node | undefined): Set<string> {
  const known = resolve(node)
  if (!known) return new Set()
  if (known.anyOf) return new Set(known.anyOf.flatMap((one) => [...typesOf(one)]))
  if (known.type !== undefined) return new Set([known.type].flat())
  return new Set((known.enum ?? [known.const]).map((value) => (value === null ? 'null' : typeof value)))
}

const inside = (name: string, ...path: string[]): Node | undefined =>
  path.reduce<Node | undefined>((node, key) => resolve(resolve(node)?.properties?.[key]), schemas[name])

const documented: [string, spec.SpecShape, () => Node | undefined][] = [
  ['2.2 initiation', spec.initiationResponse, () => inside('InitiationResponse', 'response')],
  ['2.4 ramp', spec.rampResponse, () => inside('RampResponse', 'response')],
  ['2.5 payment record', spec.paymentRecord, () => inside('PaymentRecord')],
  ['2.6 API key', spec.apiKey, () => inside('ApiKey')],
  ['2.7 webhook', spec.webhook, () => inside('Webhook')],
  ['2.8 beneficiary', spec.beneficiary, () => inside('Beneficiary')],
  ['2.9 virtual account', spec.virtualAccount, () => inside('VirtualAccount')],
  ['2.9 virtual transaction', spec.virtualTransaction, () => inside('VirtualTransaction')],
  ['2.9 payment link', spec.paymentLink, () => inside('PaymentLink')],
  ['2.9 milestone', spec.milestone, () => inside('Milestone')],
  ['2.9 provider config', spec.providerConfig, () => inside('ProviderConfig')],
  ['2.10 UK account', spec.ukAccount, () => inside('UkAccountValidation')],
  ['2.10 UK account, details', spec.ukAccountDetails, () => inside('UkAccountValidation', 'accountDetails')],
  ['2.10 verification request', spec.verificationResponse, () => inside('VerificationRequestResult')],
]

it.each(documented)(
  '%s: every field has its type, and is null only where it may be',
  (_name, shape, find) => {
    const node = find()
    const problems = fieldsOf(shape).flatMap(({ name, type, isNullable, mayBeMissing }) => {
      const types = typesOf(node?.properties?.[name])
      const wanted = type === 'date-time' ? 'string' : type
      const others = [...types].filter((one) => one !== wanted && !(one === 'null' && isNullable))
      const isPresent = mayBeMissing || node?.required?.includes(name) === true
      return [
        ...(types.has(wanted) || (mayBeMissing && types.size === 0) ? [] : [`${name} is not ${type}`]),
        ...(others.length > 0 ? [`${name} may be ${others.join(' or ')}`] : []),
        ...(isPresent ? [] : [`${name} may be missing`]),
      ]
    })
    expect(problems).toEqual([])
  },
)
