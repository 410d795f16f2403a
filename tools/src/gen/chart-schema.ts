import { z } from 'zod'
import { settingGroups } from '@switchyard/server/main/settings/groups.ts'
import { notesOf } from '@switchyard/server/main/settings/kinds.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** The chart sets these itself, so a value for them would be ignored or break it. */
const setByChart = new Set([
  'SWITCHYARD_ENV',
  'API_HOST',
  'API_PORT',
  'WORKER_HOST',
  'WORKER_PORT',
  'METRICS_HOST',
  'METRICS_PORT',
  'ENGINE_WORKER_URL',
])
/** For development only; production refuses it. */
const refused = new Set(['WALLET_SEED'])
/** The schemas have a default or are optional, but production does not start without them. */
const neededInProduction = new Set(['PUBLIC_URL', 'SCREENER_URL', 'ENGINE_ADMIN_URL', 'ENGINE_IDENTITY_KEYS'])

/** Production refuses plain http. */
const httpsOnly = new Set(['PUBLIC_URL', 'JWT_JWKS_URL'])

const all = Object.values(settingGroups)
  .flatMap((group) => Object.entries<z.ZodType>(group))
  .filter(([name]) => !setByChart.has(name) && !refused.has(name))

/** values.schema.json of the chart: its own values, and every setting that `settings` and `secrets` may hold. */
export const chartSchema = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ ...chartValues, settings: settingsSchema(), secrets: secretsSchema() }, [
        'settings',
        'secrets',
      ]),
    },
    null,
    2,
  )}\n`

function settingsSchema(): JsonSchema {
  const plain = all.filter(([, schema]) => !notesOf(schema).isSecret)
  const needed = plain.filter(([name, schema]) => isNeeded(name, schema))
  return object(
    Object.fromEntries(plain.map(([name, schema]) => [name, settingSchema(name, schema)])),
    namesOf(needed),
  )
}

function secretsSchema(): JsonSchema {
  const secret = all.filter(([, schema]) => notesOf(schema).isSecret)
  const reference = object(
    { name: { type: 'string', minLength: 1 }, key: { type: 'string', minLength: 1 } },
    ['name'],
  )
  const references = secret.map(([name, schema]) => [
    name,
    { ...reference, description: plainText(notesOf(schema).description) },
  ])
  const needed = secret.filter(([name, schema]) => isNeeded(name, schema))
  return object(Object.fromEntries(references), namesOf(needed))
}

const namesOf = (entries: readonly (readonly [string, z.ZodType])[]): string[] =>
  entries.map(([name]) => name)

const isNeeded = (name: string, schema: z.ZodType): boolean =>
  neededInProduction.has(name) || !schema.safeParse(undefined).success

/** What a setting may be in YAML. A list is a text with commas, as in the environment. */
function settingSchema(name: string, schema: z.ZodType): JsonSchema {
  const output = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const { type, minimum, maximum, exclusiveMinimum, format } = output
  const description = plainText(notesOf(schema).description)
  if (output.enum) return { description, enum: output.enum }
  if (type === 'integer' || type === 'number')
    return defined({ description, type, minimum, maximum, exclusiveMinimum })
  const pattern = httpsOnly.has(name) ? '^https://' : undefined
  return defined({ description, type: 'string', format, pattern, minLength: 1 })
}

/** Without links, which lead nowhere from here. */
const plainText = (description: string): string => description.replaceAll(/\s*\(\[[^)]*\)\)/g, '')

const defined = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))

function object(properties: Record<string, unknown>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, ...(required.length > 0 && { required }), properties }
}

const text = { type: 'string' }
const flag = { type: 'boolean' }
const copies = { type: 'integer', minimum: 1 }
const textMap = { type: 'object', additionalProperties: text }
const anyObject = { type: 'object' }
const anyObjects = { type: 'array', items: anyObject }
const resources = object({ requests: anyObject, limits: anyObject })

const chartValues: Record<string, JsonSchema> = {
  global: anyObject,
  image: object({
    repository: { type: 'string', minLength: 1 },
    tag: text,
    digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
    pullSecrets: anyObjects,
  }),
  personKeys: object({ claimName: text }),
  serviceAccountName: text,
  podLabels: textMap,
  nodeSelector: textMap,
  tolerations: anyObjects,
  api: object({
    replicas: copies,
    autoscaling: object({
      enabled: flag,
      minReplicas: copies,
      maxReplicas: copies,
      targetCpuPercent: { type: 'integer', minimum: 1, maximum: 100 },
    }),
    resources,
    service: object({ type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }, annotations: textMap }),
  }),
  worker: object({
    mode: { enum: ['operator', 'versions'] },
    replicas: copies,
    resources,
    register: {
      ...object({
        cluster: text,
        url: text,
        service: object({ name: text, namespace: text, path: text, port: { type: 'integer' } }, [
          'name',
          'namespace',
        ]),
      }),
      maxProperties: 1,
    },
    olderVersions: {
      type: 'array',
      items: object({ tag: { type: 'string', minLength: 1 }, replicas: copies }, ['tag', 'replicas']),
    },
  }),
  migrate: object({ resources, deadlineSeconds: copies }),
  audit: object({ schedule: { type: 'string', minLength: 9 }, resources }),
  route: object({ enabled: flag, annotations: textMap, parentRefs: anyObjects }),
  ingress: object({ enabled: flag, className: text, annotations: textMap, tlsSecretName: text }),
  networkPolicy: object({
    enabled: flag,
    apiFrom: anyObjects,
    engineFrom: anyObjects,
    metricsFrom: anyObjects,
  }),
  monitoring: object({ enabled: flag, labels: textMap }),
}

/** Chart.yaml: the chart has the version of the server that it installs. */
export const chartFile = (
  version: string,
): string => `# Generated by \`npm run gen\`, with the version of the server.
apiVersion: v2
name: switchyard
description: Self-hosted payment orchestration. PostgreSQL, Restate and the identity provider are yours.
type: application
version: ${version}
appVersion: ${version}
kubeVersion: '>=1.32.0-0'
`
