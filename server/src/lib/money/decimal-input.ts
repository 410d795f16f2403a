import { z } from 'zod'
import { InexactNumber } from '../text/json.ts'
import { formatMinor, type Money } from './money.ts'

const digitsLimit = 40
const valueLimit = 1e15

/** The digits of a number as the caller sent them. */
export const digitsOf = (value: number | InexactNumber): string =>
  value instanceof InexactNumber ? value.source : String(value)

/** An amount for a request that we make ourselves. As a double it could differ from what was approved. */
export const exactAmount = ({ amountMinor, currency }: Money): InexactNumber =>
  new InexactNumber(formatMinor(amountMinor, currency))

/** A product or a rate, which may have more digits than a double holds: such a number arrives with its digits as text. */
export const decimalInput = (example: number) =>
  z
    .custom<number | InexactNumber>((value) => {
      if (!(value instanceof InexactNumber) && typeof value !== 'number') return false
      const digits = digitsOf(value)
      return digits.length <= digitsLimit && Number(digits) > 0 && Number(digits) < valueLimit
    }, 'must be a positive number')
    .meta({ type: 'number', format: 'double', example })
