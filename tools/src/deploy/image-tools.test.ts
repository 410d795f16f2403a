import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { differences } from './compare-images.ts'
import { completeSbom } from './complete-sbom.ts'

describe('completeSbom', () => {
  const build = { version: '1.2.3', madeAt: new Date('2026-01-02T03:04:05Z') }
  const bom = (serialNumber: string, timestamp: string) => ({
    bomFormat: 'CycloneDX',
    serialNumber,
    metadata: { timestamp, component: { name: 'app', purl: 'pkg:npm/app' } },
    components: [{ name: 'fastify' }],
  })
  const lock = '# a comment\nlibc6 2.36-9+deb12u13 aa\nnode 24.21.0 bb\n'

  it('is the same for two builds of a commit', () => {
    const [first, second] = [bom('urn:uuid:1', 'now'), bom('urn:uuid:2', 'later')].map((one) =>
      completeSbom(one, lock, build),
    )
    expect(first).toEqual(second)
    expect(first?.metadata).toEqual({
      timestamp: '2026-01-02T03:04:05.000Z',
      component: { name: 'switchyard', version: '1.2.3', purl: 'pkg:npm/app' },
    })
  })

  it('lists the packages of the base beside those of npm', () => {
    expect(completeSbom(bom('', ''), lock, build).components).toMatchObject([
      { name: 'fastify' },
      { purl: 'pkg:deb/debian/libc6@2.36-9+deb12u13?distro=bookworm', hashes: [{ content: 'aa' }] },
      { purl: 'pkg:generic/node@24.21.0', type: 'application' },
    ])
  })
})

describe('differences', () => {
  let scratch: string
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'switchyard-compare-'))
  })
  afterEach(() => rmSync(scratch, { recursive: true, force: true }))

  function archive(name: string, files: Record<string, string>, time: string): string {
    const [tree, blobs] = [join(scratch, name, 'tree'), join(scratch, name, 'blobs/sha256')]
    for (const directory of [tree, blobs]) mkdirSync(directory, { recursive: true })
    for (const [file, content] of Object.entries(files)) writeFileSync(join(tree, file), content)
    const owner = ['--owner=0', '--group=0', '--mode=644', `--mtime=${time}`]
    execFileSync('tar', ['-czf', join(blobs, 'layer'), ...owner, '-C', tree, ...Object.keys(files)])
    writeFileSync(join(blobs, 'config'), '{"architecture":"amd64"}')
    execFileSync('tar', ['-cf', join(scratch, `${name}.tar`), '-C', join(scratch, name), 'blobs'])
    return join(scratch, `${name}.tar`)
  }

  it('names the file whose content differs, and nothing else', () => {
    const first = archive('one', { a: 'same', b: 'left' }, '@1')
    const second = archive('two', { a: 'same', b: 'rght' }, '@1')
    const found = differences([first, second], scratch)
    expect(found.map((line) => line.replace(/ [0-9a-f]{64}$/, ''))).toEqual(['- /b', '+ /b'])
    expect(differences([first, first], scratch)).toEqual([])
  })

  it('names times that differ', () => {
    const found = differences([archive('one', { a: 'x' }, '@1'), archive('two', { a: 'x' }, '@2')], scratch)
    expect(found).toHaveLength(2)
    expect(found[0]).toContain('1970-01-01 00:00:01')
  })
})
