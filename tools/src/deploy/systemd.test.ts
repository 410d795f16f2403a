import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '@switchyard/server/main/config.ts'
import { settingGroups } from '@switchyard/server/main/settings/groups.ts'
import { findTool } from './find-tool.ts'

const root = join(import.meta.dirname, '../../..')
const units = readdirSync(join(root, 'deploy/systemd')).filter((name) => /\.(?:service|timer)$/.test(name))
const analyze = findTool('systemd-analyze')
/** The exposure that systemd computes from a sandbox, from 0 to 10 in tenths: below 2.0 it calls it OK. */
const exposureLimit = 20

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'switchyard-units-'))
  for (const name of units) {
    const unit = readFileSync(join(root, 'deploy/systemd', name), 'utf8')
    const installed = name.replace('@', '@1.0.0')
    // The units name paths of an installation, which this machine does not have.
    const here = unit
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll(/\/opt\/switchyard(?:-%i)?/g, root)
      .replaceAll(/User=switchyard|Group=switchyard/g, (line) => line.replace('switchyard', 'root'))
    writeFileSync(join(scratch, installed), here)
  }
  mkdirSync(join(scratch, 'etc'))
  cpSync(join(root, 'deploy/systemd/switchyard.env.example'), join(scratch, 'etc/switchyard.env'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the units', () => {
  it.skipIf(analyze === undefined).each(units)('systemd accepts %s without a warning', (name) => {
    const { stderr } = spawnSync(
      analyze ?? '',
      ['verify', '--man=no', join(scratch, name.replace('@', '@1.0.0'))],
      {
        encoding: 'utf8',
      },
    )
    expect(stderr.split('\n').filter((line) => line.includes('switchyard'))).toEqual([])
  })

  it.skipIf(analyze === undefined).each(units.filter((name) => name.endsWith('.service')))(
    'the sandbox of %s is tight',
    (name) => {
      const args = [
        'security',
        '--offline=true',
        `--threshold=${exposureLimit}`,
        join(scratch, name.replace('@', '@1.0.0')),
      ]
      expect(() => execFileSync(analyze ?? '', args, { encoding: 'utf8' })).not.toThrow()
    },
  )

  it('each starts a command that exists', () => {
    const program = readFileSync(join(root, 'server/src/main/switchyard-server.ts'), 'utf8')
    for (const name of units.filter((unit) => unit.endsWith('.service'))) {
      const unit = readFileSync(join(root, 'deploy/systemd', name), 'utf8')
      const command = /^ExecStart=\/usr\/bin\/node server\/src\/main\/switchyard-server\.ts ([a-z-]+)/m.exec(
        unit,
      )?.[1]
      expect(program).toMatch(new RegExp(`^ {2}'?${command}'?: `, 'm'))
    }
  })
})

describe('the example of the settings', () => {
  const text = readFileSync(join(root, 'deploy/systemd/switchyard.env.example'), 'utf8')
  const entries = text
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replaceAll(/^'|'$/g, ''),
    ])

  it('starts a production process when the two secrets are added, and not before', () => {
    const example: Record<string, string> = Object.fromEntries(entries)
    expect(() => readConfig(example)).toThrow(
      /^SECRET_KEY is not set[^\n]*\nAPI_KEY_PEPPER is not set[^\n]*$/,
    )
    const secret = (): string => randomBytes(32).toString('base64')
    const completed = { ...example, SECRET_KEY: secret(), API_KEY_PEPPER: secret() }
    expect(readConfig(completed).SWITCHYARD_ENV).toBe('production')
  })

  it('has every setting, and no other', () => {
    const named = [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
    const settings = Object.values(settingGroups).flatMap((group) => Object.keys(group))
    expect(named).toEqual(settings.filter((name) => name !== 'DATABASE_OWNER_URL'))
  })
})
