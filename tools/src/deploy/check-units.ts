import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstAdmin } from '@switchyard/stack/seeds/seed.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { answersOk, waitUntil } from '@switchyard/stack/services/wait-until.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { unpackImage, type UnpackedImage } from './container.ts'
import { findTool } from './find-tool.ts'
import { makeFirstPayment } from './first-payment.ts'
import { say } from './say.ts'
import { startDependencies } from './start-dependencies.ts'

/**
 * `npm run units:check`: boots a Debian 12 under systemd-nspawn, with the units of deploy/systemd installed as
 * docs/operations.md says and the code of the image in /opt, and makes the first payment of the README with it. Postgres,
 * the engine and the rest are those of the development stack, on this machine.
 */
const root = join(import.meta.dirname, '../../..')
const archive = join(root, '.toolchain/image/switchyard.tar')
const worker = 'switchyard-worker@0.1.0.service'
const services = ['switchyard-api.service', worker]
const readyTimeoutMs = 120_000
const userId = 990

/** The files of docs/operations.md in a new Debian. */
function install(system: string, settings: Env, workerSettings: Env): void {
  const packages = '--include=systemd,systemd-sysv,dbus'
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', packages, 'bookworm', system])
  appendFileSync(
    join(system, 'etc/passwd'),
    `switchyard:x:${userId}:${userId}::/opt/switchyard:/usr/sbin/nologin\n`,
  )
  appendFileSync(join(system, 'etc/group'), `switchyard:x:${userId}:\n`)
  mkdirSync(join(system, 'opt/switchyard-0.1.0'))
  symlinkSync('/opt/switchyard-0.1.0', join(system, 'opt/switchyard'))
  mkdirSync(join(system, 'etc/switchyard'))
  writeFileSync(join(system, 'etc/switchyard/switchyard.env'), envFile(settings), { mode: 0o600 })
  writeFileSync(join(system, 'etc/switchyard/worker-0.1.0.env'), envFile(workerSettings), { mode: 0o600 })
  const units = globSync(join(root, 'deploy/systemd/*.{service,timer}'))
  for (const unit of units) cpSync(unit, join(system, 'etc/systemd/system', unit.split('/').at(-1) ?? ''))
  execFileSync('systemctl', ['--quiet', '--root', system, 'enable', ...services, 'switchyard-audit.timer'])
}

const envFile = (settings: Env): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

interface System {
  run(...command: string[]): { status: number | null; output: string }
  stop(): Promise<void>
}

async function boot(nspawn: string, system: string, image: UnpackedImage): Promise<System> {
  const child = spawn(
    nspawn,
    [
      '--quiet',
      '--boot',
      '--register=no',
      '--keep-unit',
      '--console=pipe',
      `--directory=${system}`,
      `--bind-ro=${join(image.rootfs, 'usr/bin/node')}:/usr/bin/node`,
      `--bind-ro=${join(image.rootfs, 'app')}:/opt/switchyard-0.1.0`,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  const init = await waitUntil(() => childOf(child.pid ?? 0), { timeoutMs: 20_000, what: 'systemd' })
  return {
    run(...command) {
      const { status, stdout, stderr } = spawnSync('nsenter', ['--all', '--target', init, '--', ...command], {
        encoding: 'utf8',
      })
      return { status, output: `${stdout}${stderr}` }
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const childOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? ''

const journal = (system: string, unit: string): string =>
  execFileSync('journalctl', ['--directory', join(system, 'var/log/journal'), '--unit', unit, '-n', '15'], {
    encoding: 'utf8',
  })

async function check(nspawn: string, scratch: string): Promise<void> {
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()].map(String)
  const [port = '', metrics = '', workerPort = '', workerMetrics = ''] = ports
  const publicUrl = `http://127.0.0.1:${port}`
  const image = unpackImage(archive, scratch)
  const system = join(scratch, 'system')
  const installation = await startDependencies(publicUrl)
  const { env } = installation
  let booted: System | undefined
  try {
    install(
      system,
      { ...env, API_PORT: port, METRICS_PORT: metrics },
      {
        ENGINE_WORKER_URL: `http://127.0.0.1:${workerPort}`,
        WORKER_PORT: workerPort,
        METRICS_PORT: workerMetrics,
      },
    )
    booted = await boot(nspawn, system, image)
    for (const [index, unit] of services.entries()) {
      const url = `http://127.0.0.1:${[metrics, workerMetrics][index]}/readyz`
      await waitUntil(() => answersOk(url), { timeoutMs: readyTimeoutMs, what: unit })
      say('ready', true, unit)
    }
    const { apiKey } = firstAdmin(installation.seeded)
    say('first payment', true, await makeFirstPayment(`${publicUrl}/v1`, apiKey))
    const audit = booted.run('systemctl', 'start', 'switchyard-audit.service')
    say('audit', audit.status === 0, audit.output.trim() || 'exit 0')
    const stopped = booted.run('systemctl', 'stop', ...services)
    const failed = booted.run('systemctl', '--failed', '--no-legend', '--plain', 'list-units', 'switchyard*')
    say('stop', stopped.status === 0 && failed.output.trim() === '', failed.output.trim() || 'exit 0')
  } catch (error) {
    say('units', false, error instanceof Error ? error.message : String(error))
    if (booted) for (const unit of services) process.stdout.write(journal(system, unit))
  } finally {
    await booted?.stop()
    await installation.stop()
  }
}

const nspawn = findTool('systemd-nspawn')
if (nspawn === undefined || !existsSync(archive))
  throw new Error(
    'it needs systemd-nspawn (deploy/install-tools systemd-nspawn) and the image (npm run image)',
  )
const scratch = mkdtempSync(join(tmpdir(), 'switchyard-units-'))
chmodSync(scratch, 0o711)
try {
  await check(nspawn, scratch)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
