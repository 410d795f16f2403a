import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '@switchyard/server/main/config.ts'
import { settingGroups } from '@switchyard/server/main/settings/groups.ts'
import { notesOf } from '@switchyard/server/main/settings/kinds.ts'
import {
  chartDirectory,
  conformityProblems,
  kubernetesSchemas,
  podTemplates,
  refusal,
  template,
  valuesFiles,
  type Resource,
} from './chart.ts'
import { findTool } from './find-tool.ts'

const root = join(import.meta.dirname, '../../..')
const helm = findTool('helm') ?? ''
const kubeconform = existsSync(kubernetesSchemas) ? (findTool('kubeconform') ?? '') : ''
const unittest = findTool('helm-unittest') ?? ''
/** Of the versions that are tested, the oldest is the chart's kubeVersion. */
const kubernetesVersions = ['1.32.0', '1.37.0']
const settings = Object.values(settingGroups).flatMap((group) => Object.entries(group))
const secretNames = settings.filter(([, schema]) => notesOf(schema).isSecret).map(([name]) => name)

interface Values {
  settings: Record<string, string | number>
  secrets: Record<string, { name: string; key?: string }>
}
const valuesOf = (file: string): Values => parse(readFileSync(join(chartDirectory, 'ci', file), 'utf8'))

describe('the values files', () => {
  it.each(valuesFiles)('%s starts a production process', (file) => {
    const { settings: given, secrets } = valuesOf(file)
    const example = (name: string): string =>
      ['SECRET_KEY', 'API_KEY_PEPPER'].includes(name)
        ? randomBytes(32).toString('base64')
        : (settings.flatMap(([known, schema]) =>
            known === name ? [notesOf(schema).example ?? ''] : [],
          )[0] ?? '')
    const env = {
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
      ...Object.fromEntries(Object.keys(secrets).map((name) => [name, example(name)])),
    }
    expect(readConfig(env).SWITCHYARD_ENV).toBe('production')
  })

  it('are six, and one of them names every secret but the one for development', () => {
    expect(valuesFiles).toHaveLength(6)
    expect(Object.keys(valuesOf('everything.yaml').secrets).toSorted()).toEqual(
      secretNames.filter((name) => name !== 'WALLET_SEED').toSorted(),
    )
  })
})

describe.skipIf(helm === '')('the chart', () => {
  it.each(valuesFiles)('%s passes helm lint', (file) => {
    const args = ['lint', '--strict', chartDirectory, '--values', join(chartDirectory, 'ci', file)]
    expect(execFileSync(helm, args, { encoding: 'utf8' })).toContain('0 chart(s) failed')
  })

  it.each(valuesFiles)('in %s every selector matches pods, and every port is one of theirs', (file) => {
    const resources = template(helm, file)
    const pods = podTemplates(resources).map(({ pods: one }) => one)
    expect(pods.length).toBeGreaterThanOrEqual(4)
    for (const { selector, ports } of resources.flatMap(selectorOf)) {
      const matched = pods.filter(({ metadata: { labels } }) =>
        Object.entries(selector).every(([name, value]) => labels[name] === value),
      )
      expect(matched.length).toBeGreaterThan(0)
      const names = matched.flatMap(({ spec }) => spec.containers.flatMap((one) => one.ports ?? []))
      for (const port of ports) expect(names.map(({ name }) => name)).toContain(port)
    }
  })

  it.each(valuesFiles)('in %s no secret is in a ConfigMap, and only the migration has the owner', (file) => {
    const resources = template(helm, file)
    expect(resources.filter(({ kind }) => kind === 'Secret')).toEqual([])
    const configMaps = resources.filter(({ kind }) => kind === 'ConfigMap')
    expect(configMaps).toHaveLength(1)
    for (const { data = {} } of configMaps)
      expect(Object.keys(data).filter((name) => secretNames.includes(name))).toEqual([])
    const withOwner = resources.filter((one) => JSON.stringify(one).includes('DATABASE_OWNER_URL'))
    expect(withOwner.map(({ metadata }) => metadata.name)).toEqual(['switchyard-migrate'])
  })

  it.each(valuesFiles)('in %s every pod is confined, bounded and runs a command that exists', (file) => {
    const program = readFileSync(join(root, 'server/src/main/switchyard-server.ts'), 'utf8')
    for (const { pods } of podTemplates(template(helm, file))) {
      expect(pods.spec.automountServiceAccountToken).toBe(false)
      expect(pods.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65_532,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext, resources, args, env = [] } of pods.spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources).toHaveProperty('requests.memory')
        expect(resources).toHaveProperty('limits.memory')
        expect(program).toMatch(new RegExp(`^ {2}${args?.join()}: `, 'm'))
        const known = [...settings.map(([name]) => name), 'NODE_OPTIONS']
        expect(env.filter(({ name }) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([])
      }
    }
  })

  it.each([
    ['a misspelt setting', ['--set', 'settings.LOG_LEVL=info'], 'LOG_LEVL'],
    ['a wrong value', ['--set', 'settings.LOG_LEVEL=loud'], 'LOG_LEVEL'],
    ['a number that is none', ['--set-string', 'settings.DATABASE_POOL_SIZE=many'], 'DATABASE_POOL_SIZE'],
    ['plain http', ['--set', 'settings.PUBLIC_URL=http://pay.example.com'], 'PUBLIC_URL'],
    ['a secret as a setting', ['--set', 'settings.SECRET_KEY=abc'], 'SECRET_KEY'],
    ['a secret that is no reference', ['--set', 'secrets.SECRET_KEY=abc'], 'SECRET_KEY'],
    ['a missing setting', ['--set', 'settings.JWT_ISSUER=null'], 'JWT_ISSUER'],
    ['a setting that the chart sets itself', ['--set', 'settings.API_PORT=80'], 'API_PORT'],
    ['a misspelt value', ['--set', 'api.replica=3'], 'replica'],
  ])('refuses %s', (_what, options, named) => {
    expect(refusal(helm, 'minimal.yaml', ...options)).toContain(named)
  })

  it.skipIf(unittest === '')('passes its suites', () => {
    expect(execFileSync(unittest, [chartDirectory], { encoding: 'utf8' })).toMatch(
      /Tests:\s+\d+ passed, \d+ total/,
    )
  })
})

describe.skipIf(helm === '' || kubeconform === '')('Kubernetes', () => {
  const cases = valuesFiles.flatMap((file) => kubernetesVersions.map((version) => [version, file] as const))
  it.each(cases)('%s accepts what %s makes', (version, file) => {
    expect(conformityProblems(kubeconform, template(helm, file), version)).toEqual([])
  })

  it('would refuse a misspelt field, also in the pods of a worker', () => {
    const resources = template(helm, 'minimal.yaml')
    const worker = podTemplates(resources).find(({ resource }) => resource.kind === 'RestateDeployment')
    Object.assign(worker?.pods.spec ?? {}, { terminationGracePeriod: 40 })
    expect(conformityProblems(kubeconform, resources, '1.37.0').join()).toContain('terminationGracePeriod')
  })
})

describe.skipIf(kubeconform === '')('the examples of docs/deploy.md', () => {
  const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  const blocks = [...page.matchAll(/```yaml\n(apiVersion: [^]*?)```/g)].map(([, text = '']) => text)
  const resources = blocks.flatMap((text) => parseAllDocuments(text).map((one): Resource => one.toJS()))

  it('are accepted by Kubernetes and its operators', () => {
    expect(resources.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Cluster', 'RestateCluster']))
    expect(conformityProblems(kubeconform, resources, '1.37.0')).toEqual([])
  })
})

/** What a resource selects, with the named ports that it expects there. */
function selectorOf({ kind, spec = {} }: Resource): { selector: Record<string, string>; ports: string[] }[] {
  const {
    selector,
    podSelector,
    ports = [],
    podMetricsEndpoints = [],
  } = spec as {
    selector?: Record<string, string> & { matchLabels?: Record<string, string> }
    podSelector?: { matchLabels: Record<string, string> }
    ports?: { targetPort: string }[]
    podMetricsEndpoints?: { port: string }[]
  }
  if (kind === 'Service')
    return [{ selector: selector ?? {}, ports: ports.map(({ targetPort }) => targetPort) }]
  const labels = selector?.matchLabels ?? podSelector?.matchLabels
  return labels ? [{ selector: labels, ports: podMetricsEndpoints.map(({ port }) => port) }] : []
}
