import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { readBlocks } from './readme-blocks.ts'
import { runReadme } from './readme-commands.ts'

const cwd = mkdtempSync(join(tmpdir(), 'switchyard-readme-test-'))
const devFile = '"${SWITCHYARD_DEV_FILE:-.switchyard/dev.json}"'
const goodDev = `mkdir -p "$0"; echo '{"api":"http://127.0.0.1:1"}' > "$0/dev.json"; echo "$0" >> started; exec sleep 60`

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

function fence(info: string, ...lines: string[]): string {
  return ['```' + info, ...lines, '```', ''].join('\n')
}

const linesOf = (markdown: string, devScript = goodDev): Promise<string[]> =>
  linesOfPages([{ name: 'README.md', markdown }], devScript)

async function linesOfPages(
  pages: { name: string; markdown: string }[],
  devScript = goodDev,
): Promise<string[]> {
  const lines: string[] = []
  await runReadme({
    pages,
    cwd,
    devCommand: (dataDirectory) => ({ program: 'bash', args: ['-c', devScript, dataDirectory] }),
    signal: AbortSignal.timeout(25_000),
    print: (line) => lines.push(...line.split('\n').map((one) => one.replace(/[\d.]+ s /, '… s '))),
  })
  return lines
}

describe('readBlocks', () => {
  it('reads only the blocks for CI, with their expected output', () => {
    const markdown = [
      '# Sample\n',
      fence('sh', 'npm run dev'),
      fence('sh ci', 'echo 1', 'echo 2'),
      'This answers:\n',
      fence('json expected', '{"a": 1}'),
      fence('sh ci', 'true'),
      fence('json', '{"b": 2}'),
    ].join('\n')
    expect(readBlocks(markdown)).toEqual([
      { line: 7, script: 'echo 1\necho 2', expected: { a: 1 }, isBackground: false },
      { line: 18, script: 'true', expected: undefined, isBackground: false },
    ])
  })

  it.each([
    [fence('sh', 'true') + fence('json expected', '{}'), 'line 4: a json expected block must follow'],
    [fence('sh ci', 'true') + fence('json expected', '{"a": …}'), 'line 4: the expected block is not JSON'],
    ['```sh ci\ntrue\n', 'line 1: the block is never closed'],
  ])('refuses what it cannot read: %j', (markdown, reason) => {
    expect(() => readBlocks(markdown)).toThrow(reason)
  })
})

describe('runReadme', () => {
  it('starts the stack once, keeps variables between blocks and compares the output', async () => {
    const markdown = [
      fence('sh ci', `API=$(node -p "require('fs').readFileSync(process.env.SWITCHYARD_DEV_FILE, 'utf8')")`),
      fence('sh ci', 'echo "got $API"'),
      fence('json expected', '{"api": "…"}'),
      fence('sh ci', `cat ${devFile}`),
      fence('json expected', '{"api": "http://127.0.0.1:1"}'),
      fence('sh ci', 'test "$(wc -l < started)" = 1'),
    ].join('\n')
    expect((await linesOf(markdown)).at(-1)).toBe('4 passed, 0 failed')
  })

  it('starts the stack once for all pages, and keeps the variables of each page apart', async () => {
    rmSync(join(cwd, 'started'), { force: true })
    const first = fence('sh ci', `WORD=first; cat ${devFile}; test "$(wc -l < started)" = 1`)
    const second = fence('sh ci', `test -z "\${WORD:-}"; cat ${devFile}; test "$(wc -l < started)" = 1`)
    const lines = await linesOfPages([
      { name: 'first.md', markdown: first },
      { name: 'second.md', markdown: second },
    ])
    expect(lines.filter((line) => line.startsWith('ok'))).toEqual([
      expect.stringContaining('first.md:1'),
      expect.stringContaining('second.md:1'),
    ])
    expect(lines.at(-1)).toBe('2 passed, 0 failed')
  })

  it('runs a block in the background until the end of the page', async () => {
    const beat = 'touch beating; while [ -e beating ]; do echo >> beats; sleep 0.1; done'
    const markdown = [
      fence('sh ci', 'WORD=hello'),
      fence('sh ci background', 'echo "$WORD" > said', beat),
      fence('sh ci', 'until [ -s beats ]; do sleep 0.1; done', 'grep hello said'),
    ].join('\n')
    expect((await linesOf(markdown)).at(-1)).toBe('3 passed, 0 failed')
    const beats = readFileSync(join(cwd, 'beats'), 'utf8').length
    await sleep(500)
    expect(readFileSync(join(cwd, 'beats'), 'utf8')).toHaveLength(beats)
  })

  it('shows how a block in the background ended when a later one fails', async () => {
    const markdown =
      fence('sh ci background', 'echo no disk left; touch ending; exit 5') +
      fence('sh ci', 'until [ -e ending ]; do sleep 0.1; done', 'sleep 1; false')
    const lines = await linesOf(markdown)
    expect(lines).toContain('the block at line 1 ended: exit code 5')
    expect(lines).toContain('no disk left')
    expect(lines.at(-1)).toBe('1 passed, 1 failed')
  })

  it('does not start the stack for commands that do not need it', async () => {
    expect(await linesOf(fence('sh ci', 'echo hello'), 'touch needless')).toEqual([
      'ok  README.md:1  … s  echo hello',
      '… s in all',
      '1 passed, 0 failed',
    ])
    expect(existsSync(join(cwd, 'needless'))).toBe(false)
  })

  it('fails a block with a failing command, and continues with the next block', async () => {
    const markdown = [
      fence('sh ci', 'false', 'echo unreached'),
      fence('sh ci', 'echo "$NOT_SET"'),
      fence('sh ci', 'false | true'),
      fence('sh ci', 'true'),
    ].join('\n')
    const lines = await linesOf(markdown)
    expect(lines.filter((line) => /^(?:FAILED|ok)/.test(line))).toEqual([
      'FAILED  README.md:1  … s  false',
      'FAILED  README.md:6  … s  echo "$NOT_SET"',
      'FAILED  README.md:10  … s  false | true',
      'ok  README.md:14  … s  true',
    ])
    expect(lines).not.toContain('unreached')
    expect(lines.at(-1)).toBe('1 passed, 3 failed')
  })

  it('fails a block whose output differs, and names the difference', async () => {
    const lines = await linesOf(
      fence('sh ci', `echo '{"a":{"b":1}}'`) + fence('json expected', '{"a":{"b":2}}'),
    )
    expect(lines).toContain('a.b: expected 2, got 1')
    expect(lines.at(-1)).toBe('0 passed, 1 failed')
  })

  it('shows the output of a stack that does not start', async () => {
    const lines = await linesOf(fence('sh ci', `cat ${devFile}`), 'echo no port left >&2; exit 4')
    expect(lines).toContain('npm run dev did not start: exit code 4')
    expect(lines).toContain('no port left')
    expect(lines.at(-1)).toBe('0 passed, 1 failed')
  })

  it('fails a README without any command for CI', async () => {
    expect(await linesOf(fence('sh', 'true'))).toEqual([
      'FAILED  README.md has no block marked sh ci',
      '… s in all',
      '0 passed, 1 failed',
    ])
  })
})
