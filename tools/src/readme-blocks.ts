export type ReadmeBlock = {
  readonly line: number
  readonly script: string
  /** What the block's stdout must contain; undefined when the page shows no output. */
  readonly expected: unknown
  /** Runs until the end of the page, as in a second terminal. */
  readonly isBackground: boolean
}

type Fence = { readonly line: number; readonly info: string; readonly text: string }

const background = 'sh ci background'

/** The blocks marked `sh ci`, each with the `json expected` block that comes next, if one does. */
export function readBlocks(markdown: string): ReadmeBlock[] {
  const fences = readFences(markdown)
  return fences.flatMap((fence, index): ReadmeBlock[] => {
    if (fence.info === 'json expected' && fences[index - 1]?.info !== 'sh ci') {
      throw new Error(`README line ${fence.line}: a json expected block must follow an sh ci block`)
    }
    if (fence.info === background)
      return [{ line: fence.line, script: fence.text, expected: undefined, isBackground: true }]
    if (fence.info !== 'sh ci') return []
    const next = fences[index + 1]
    const expected = next?.info === 'json expected' ? parseExpected(next) : undefined
    return [{ line: fence.line, script: fence.text, expected, isBackground: false }]
  })
}

function readFences(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; ticks: string; info: string; lines: string[] } | undefined
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, ticks, info = ''] = /^\s*(`{3,})\s*(.*?)\s*$/.exec(text) ?? []
    if (open !== undefined && ticks === open.ticks && info === '') {
      fences.push({ line: open.line, info: open.info, text: open.lines.join('\n') })
      open = undefined
    } else if (open !== undefined) {
      open.lines.push(text)
    } else if (ticks !== undefined) {
      open = { line: index + 1, ticks, info, lines: [] }
    }
  }
  if (open !== undefined) throw new Error(`README line ${open.line}: the block is never closed`)
  return fences
}

function parseExpected(fence: Fence): unknown {
  try {
    const expected: unknown = JSON.parse(fence.text)
    return expected
  } catch (cause) {
    throw new Error(`README line ${fence.line}: the expected block is not JSON`, { cause })
  }
}
