import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig, readMigrationConfig } from '@switchyard/server/main/config.ts'
import { settingGroups } from '@switchyard/server/main/settings/groups.ts'
import { readConfig as readSimulatorConfig } from '@switchyard/simulator/config.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { composeText, readCompose, type ComposeService } from './compose.ts'
import { findTool } from './find-tool.ts'

const root = join(import.meta.dirname, '../../..')
const printed = execFileSync(join(root, 'deploy/compose-env'), { encoding: 'utf8' })
const dotEnv = Object.fromEntries(
  Object.entries(parseEnv(printed)).map(([name, value]) => [name, value ?? '']),
)
const { services, volumes } = readCompose(dotEnv)
const version = dotEnv['SWITCHYARD_VERSION']
const settings = new Set(Object.values(settingGroups).flatMap((group) => Object.keys(group)))
const service = (name: string): ComposeService => {
  const found = services[name]
  if (!found) throw new Error(`compose.yaml has no service ${name}`)
  return found
}
const environment = (name: string): Env => service(name).environment ?? {}
const checker = findTool('compose-check')

describe('the variables of compose.yaml', () => {
  it.each(['api', 'worker', 'migrate'])('%s has only settings that exist', (name) => {
    expect(Object.keys(environment(name)).filter((variable) => !settings.has(variable))).toEqual([])
  })

  it.each(['api', 'worker', 'seed'])('%s lacks no setting and has no wrong one', (name) => {
    expect(readConfig(environment(name)).SWITCHYARD_ENV).toBe('dev')
  })

  it('only the migration knows the password of the owner, beside Postgres', () => {
    expect(readMigrationConfig(environment('migrate')).DATABASE_OWNER_URL).toContain(dotEnv['OWNER_PASSWORD'])
    const knowing = Object.keys(services).filter((name) =>
      JSON.stringify(services[name]).includes(dotEnv['OWNER_PASSWORD'] ?? 'none'),
    )
    expect(knowing).toEqual(['postgres', 'migrate'])
  })

  it.each([
    'SWITCHYARD_VERSION',
    'OWNER_PASSWORD',
    'APP_PASSWORD',
    'SYSTEM_PASSWORD',
    'SECRET_KEY',
    'API_KEY_PEPPER',
  ])('%s has no default: without it nothing starts', (name) => {
    const { [name]: _left, ...others } = dotEnv
    expect(() => readCompose(others)).toThrow(
      `required variable ${name} is missing a value: run ./compose-env`,
    )
  })

  it('the profile try has what its programs read', () => {
    expect(readSimulatorConfig(environment('simulator'))).toMatchObject({ host: '0.0.0.0', port: 9300 })
    const read = readFileSync(join(root, 'stack/src/try.ts'), 'utf8')
    for (const name of Object.keys(environment('identity'))) expect(read).toContain(`${name}: `)
    expect(environment('identity')['IDENTITY_ISSUER']).toBe(environment('api')['JWT_ISSUER'])
    expect(environment('identity')['SEED_FILE']).toBe(environment('seed')['SEED_FILE'])
  })
})

describe('the services of compose.yaml', () => {
  it('run commands that exist', () => {
    const programs = {
      switchyard: 'server/src/main/switchyard-server.ts',
      'switchyard-try': 'stack/src/try.ts',
    }
    for (const [image, file] of Object.entries(programs)) {
      const program = readFileSync(join(root, file), 'utf8')
      const ours = Object.values(services).filter((one) => one.image === `${image}:${version}`)
      expect(ours.length).toBeGreaterThan(2)
      for (const { command } of ours) expect(program).toMatch(new RegExp(`^ {2}${command?.join()}: `, 'm'))
    }
  })

  it('are those of the profile try only where they belong to it', () => {
    const inTry = Object.keys(services).filter((name) => services[name]?.profiles?.includes('try'))
    expect(inTry).toEqual(['simulator', 'identity', 'mail', 'seed'])
    for (const [name, { depends_on = {} }] of Object.entries(services))
      if (!inTry.includes(name))
        expect(Object.keys(depends_on).filter((on) => inTry.includes(on))).toEqual([])
  })

  it('publish ports on this machine only, and use volumes and services that exist', () => {
    for (const { ports = [], volumes: used = [], depends_on = {} } of Object.values(services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/)
      for (const volume of used) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '')
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name)
    }
  })

  it('are reached by the names in the settings', () => {
    const names = Object.entries(services).flatMap(([name, { networks }]) => [
      name,
      ...(networks?.default.aliases ?? []),
    ])
    const urls = ['api', 'migrate', 'seed', 'identity'].flatMap((name) =>
      Object.values(environment(name)).filter((value) => URL.canParse(value) && value.includes('://')),
    )
    expect(urls.length).toBeGreaterThan(20)
    for (const url of urls) expect(names).toContain(new URL(url).hostname)
  })
})

describe.skipIf(checker === undefined)('the specification of Compose', () => {
  const check = (text: string) => {
    const scratch = mkdtempSync(join(tmpdir(), 'switchyard-compose-'))
    try {
      writeFileSync(join(scratch, 'compose.yaml'), text)
      return spawnSync(checker ?? '', ['compose.yaml'], { encoding: 'utf8', cwd: scratch })
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
  const text = composeText(dotEnv)

  it('allows the file as it is', () => {
    const { status, stdout, stderr } = check(text)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toContain('switchyard')
  })

  it('refuses it with a misspelt key', () => {
    const { status, stderr } = check(text.replace('depends_on:', 'depend_on:'))
    expect(status).not.toBe(0)
    expect(stderr).toContain('depend_on')
  })
})
