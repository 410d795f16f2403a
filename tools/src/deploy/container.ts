import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '@switchyard/stack/programs.ts'

export interface UnpackedImage {
  rootfs: string
  config: {
    User?: string
    WorkingDir?: string
    Env?: string[]
    Entrypoint?: string[]
    Cmd?: string[]
    Labels?: Record<string, string>
  }
}

/** Unpacks an OCI archive into a directory, as a registry's client would. */
export function unpackImage(archive: string, directory: string): UnpackedImage {
  const store = ['--root', join(directory, 'storage'), '--runroot', join(directory, 'run')]
  const buildah = (...args: string[]): string =>
    execFileSync('buildah', [...store, '--storage-driver', 'vfs', ...args], { encoding: 'utf8' }).trim()
  const container = buildah('from', '--quiet', `oci-archive:${archive}`)
  const inspected: { OCIv1: { config: UnpackedImage['config'] } } = JSON.parse(buildah('inspect', container))
  return { rootfs: buildah('mount', container), config: inspected.OCIv1.config }
}

export interface Container {
  readonly exited: Promise<number | null>
  output(): string
  stop(): Promise<{ code: number | null; tookMs: number }>
}

interface ContainerOptions {
  /** A directory for what runc needs. */
  scratch: string
  name: string
  command: readonly string[]
  env: Env
  /** Files and directories of this machine, by where the container finds them. */
  mounts?: Readonly<Record<string, { source: string; isWritable?: boolean }>>
}

let started = 0

/** Starts an image under runc: its user, read-only root, no capability, the network of this process. */
export function startContainer(image: UnpackedImage, options: ContainerOptions): Container {
  started += 1
  const id = `switchyard-${options.name}-${process.pid}-${started}`
  const bundle = join(options.scratch, id)
  mkdirSync(bundle)
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(bundleOf(image, options)))
  const child = spawn('runc', ['run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const exited = once(child, 'close').then(() => child.exitCode)
  return {
    exited,
    output: () => printed,
    async stop() {
      const startedAt = performance.now()
      if (child.exitCode === null) spawnSync('runc', ['kill', id, 'TERM'])
      return { code: await exited, tookMs: performance.now() - startedAt }
    },
  }
}

function bundleOf(
  { rootfs, config }: UnpackedImage,
  { command, env, mounts = {} }: ContainerOptions,
): object {
  const [uid, gid] = (config.User ?? '0:0').split(':').map(Number)
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return {
    ociVersion: '1.0.2',
    root: { path: rootfs, readonly: true },
    process: {
      terminal: false,
      user: { uid, gid },
      cwd: config.WorkingDir ?? '/',
      args: [...(config.Entrypoint ?? []), ...command],
      // Of two values of one name, the last one counts.
      env: ['PATH=/usr/bin', ...(config.Env ?? []), ...settings],
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      ...Object.entries(mounts).map(([destination, { source, isWritable = false }]) => ({
        destination,
        type: 'bind',
        source,
        options: ['bind', isWritable ? 'rw' : 'ro'],
      })),
    ],
    linux: { namespaces: [{ type: 'pid' }, { type: 'mount' }, { type: 'ipc' }, { type: 'uts' }] },
  }
}
