import { describe, expect, it } from 'vitest'
import { completeLock, type Lock, type PackageMetadata } from './complete-lock.ts'

const known: Record<string, PackageMetadata> = {
  'tool-linux@1.0.0': { integrity: 'sha512-linux', platform: { os: ['linux'] } },
  'tool-darwin@1.0.0': { integrity: 'sha512-darwin', platform: { os: ['darwin'], cpu: ['arm64'] } },
}
const readMetadata = async (name: string, version: string) => known[`${name}@${version}`]

const lockOf = (packages: Lock['packages']): Lock => ({ packages })

describe('completeLock', () => {
  it('gives an entry without an integrity hash the one of the registry', async () => {
    const lock = lockOf({ 'node_modules/tool-linux': { version: '1.0.0', optional: true } })
    expect(await completeLock(lock, readMetadata)).toEqual([])
    expect(lock.packages['node_modules/tool-linux']).toMatchObject({ integrity: 'sha512-linux' })
  })

  it('adds a platform that npm left out, with its hash', async () => {
    const lock = lockOf({
      'node_modules/tool': {
        version: '1.0.0',
        integrity: 'sha512-tool',
        dev: true,
        optionalDependencies: { 'tool-darwin': '1.0.0' },
      },
    })
    expect(await completeLock(lock, readMetadata)).toEqual([])
    expect(lock.packages['node_modules/tool-darwin']).toEqual({
      version: '1.0.0',
      integrity: 'sha512-darwin',
      os: ['darwin'],
      cpu: ['arm64'],
      dev: true,
      optional: true,
    })
  })

  it('removes a platform that the registry cannot verify, and every mention of it', async () => {
    const lock = lockOf({
      'node_modules/tool': {
        version: '1.0.0',
        integrity: 'sha512-tool',
        optionalDependencies: { 'tool-win32': '1.0.0', 'tool-aix': '1.0.0' },
      },
      'node_modules/tool-win32': { version: '1.0.0', optional: true },
    })
    expect(await completeLock(lock, readMetadata)).toEqual(['tool-aix', 'tool-win32'])
    expect(lock.packages).toEqual({
      'node_modules/tool': { version: '1.0.0', integrity: 'sha512-tool', optionalDependencies: {} },
    })
  })

  it('removes the compiled programs of recheck, locked or not', async () => {
    const lock = lockOf({
      'node_modules/recheck': {
        version: '4.5.0',
        integrity: 'sha512-recheck',
        optionalDependencies: { 'recheck-jar': '4.5.0', 'recheck-linux-x64': '4.5.0' },
      },
      'node_modules/recheck-linux-x64': { version: '4.5.0', integrity: 'sha512-x', optional: true },
    })
    expect(await completeLock(lock, readMetadata)).toEqual(['recheck-jar', 'recheck-linux-x64'])
    expect(lock.packages).toEqual({
      'node_modules/recheck': { version: '4.5.0', integrity: 'sha512-recheck', optionalDependencies: {} },
    })
  })

  it('fails when a package that is not optional cannot be verified', async () => {
    const lock = lockOf({ 'node_modules/library': { version: '2.0.0' } })
    await expect(completeLock(lock, readMetadata)).rejects.toThrow('library@2.0.0 has no integrity hash')
  })

  it('leaves workspaces, their links and optional version ranges alone', async () => {
    const packages = {
      '': { version: '0.1.0' },
      'node_modules/@switchyard/server': { link: true },
      'node_modules/tool': { version: '1.0.0', integrity: 'x', optionalDependencies: { peer: '^1.0.0' } },
      server: { version: '0.1.0' },
    }
    const lock = lockOf(structuredClone(packages))
    expect(await completeLock(lock, readMetadata)).toEqual([])
    expect(lock.packages).toEqual(packages)
  })
})
