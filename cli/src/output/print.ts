import { styleText } from 'node:util'
import type { Io } from '../io.ts'
import { fieldLines, plain, tableLines, type Row } from './table.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Tables on a terminal, JSON lines elsewhere. */
export interface Printer {
  readonly isJson: boolean
  /** Prints the rows of a list. */
  rows(rows: readonly unknown[]): void
  /** Prints one response. */
  value(value: unknown): void
  /** Prints the line for a person, or the value for a program. */
  line(text: string, value: unknown): void
  paint(style: Style, text: string): string
}

export function createPrinter(
  io: Pick<Io, 'out' | 'isTerminal' | 'columns' | 'hasColor'>,
  json: boolean,
): Printer {
  const isJson = json || !io.isTerminal
  const printer: Printer = {
    isJson,
    rows(rows) {
      if (isJson) for (const row of rows) io.out(JSON.stringify(row))
      else if (rows.every(isObject)) printTable(io, rows)
      else for (const row of rows) io.out(plain(row))
    },
    value(value) {
      if (Array.isArray(value)) printer.rows(value)
      else if (isJson) io.out(JSON.stringify(value))
      else if (isObject(value)) for (const line of fieldLines(value)) io.out(line)
      else io.out(plain(value))
    },
    line: (text, value) => io.out(isJson ? JSON.stringify(value) : text),
    paint: (style, text) => (io.hasColor ? styleText(style, text, { validateStream: false }) : text),
  }
  return printer
}

function printTable(io: Pick<Io, 'out' | 'columns' | 'hasColor'>, rows: readonly Row[]): void {
  if (rows.length === 0) return
  for (const line of tableLines(rows, io.columns, io.hasColor)) io.out(line)
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
