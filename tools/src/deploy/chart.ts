import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../../..')
export const chartDirectory = join(root, 'deploy/helm/switchyard')
const schemasDirectory = join(root, 'deploy/helm/schemas')
export const kubernetesSchemas = join(root, '.toolchain/deploy/kubernetes')
export const valuesFiles = readdirSync(join(chartDirectory, 'ci'))

interface PodSpec {
  containers: {
    name: string
    args?: string[]
    env?: { name: string; value?: string }[]
    ports?: { name: string }[]
    resources?: { requests?: object; limits?: object }
    securityContext?: object
  }[]
  securityContext?: object
  automountServiceAccountToken?: boolean
}

interface PodTemplate {
  metadata: { labels: Record<string, string> }
  spec: PodSpec
}

/** As much of a Kubernetes resource as the tests look at. */
export interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec?: Record<string, unknown>
}

/** The resources that `helm template` prints for a values file. */
export function template(helm: string, values: string, ...options: string[]): Resource[] {
  const printed = execFileSync(helm, templateArguments(values, options), { encoding: 'utf8' })
  return parseAllDocuments(printed)
    .map((document): unknown => document.toJS())
    .filter((resource): resource is Resource => resource !== null)
}

/** Helm's error message if it refuses the values; empty otherwise. */
export const refusal = (helm: string, values: string, ...options: string[]): string => {
  const { status, stderr } = spawnSync(helm, templateArguments(values, options), { encoding: 'utf8' })
  return status === 0 ? '' : stderr
}

const templateArguments = (values: string, options: readonly string[]): string[] => [
  'template',
  'switchyard',
  chartDirectory,
  '--namespace',
  'payments',
  '--values',
  join(chartDirectory, 'ci', values),
  ...options,
]

/** The pod templates of a resource: its own, or those of the jobs that it makes. */
export function podTemplates(resources: readonly Resource[]): { resource: Resource; pods: PodTemplate }[] {
  return resources.flatMap((resource) => {
    // Every kind that has one of these fields has it with this shape.
    const spec = resource.spec as {
      template?: PodTemplate
      jobTemplate?: { spec: { template: PodTemplate } }
    }
    const pods = spec?.template ?? spec?.jobTemplate?.spec.template
    return pods === undefined ? [] : [{ resource, pods }]
  })
}

/** Checks resources as a cluster of that version would, also the pods inside custom resources; returns what is wrong. */
export function conformityProblems(
  kubeconform: string,
  resources: readonly object[],
  version: string,
): string[] {
  // What Kubernetes does not accept is found below; what has no pods is passed over.
  const wrapped = podTemplates(resources as Resource[]).map(({ resource, pods }) => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: `${resource.metadata.name}-pods` },
    template: pods,
  }))
  const { stdout } = spawnSync(
    kubeconform,
    [
      '-strict',
      '-summary',
      '-output=json',
      `-kubernetes-version=${version}`,
      `-schema-location=${kubernetesSchemas}/v${version}-local-strict/{{.ResourceKind}}{{.KindSuffix}}.json`,
      `-schema-location=${schemasDirectory}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`,
    ],
    {
      encoding: 'utf8',
      input: [...resources, ...wrapped].map((one) => JSON.stringify(one)).join('\n---\n'),
    },
  )
  const report: { resources?: { name: string; msg: string }[]; summary: { valid: number } } =
    JSON.parse(stdout)
  const problems = (report.resources ?? []).map(({ name, msg }) => `${name}: ${msg}`)
  const { valid } = report.summary
  const expected = resources.length + wrapped.length
  return problems.length > 0 || valid === expected ? problems : [`${valid} of ${expected} are valid`]
}
