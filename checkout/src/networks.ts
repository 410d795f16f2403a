/**
 * The prefixes of mobile numbers after the country's calling code, by network. A number can be ported to another
 * network, so a prefix only suggests a network, and the payer may correct it.
 */
const plans: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BF: {
    MOOV: '01 02 03 50 51 52 53 60 61 62 63 70 71 72 73',
    ORANGE: '05 06 07 54 55 56 57 64 65 66 67 74 75 76 77',
  },
  BJ: {
    MTN: '51 61 62 66 67 96 97 0151 0161 0162 0166 0167 0196 0197',
    MOOV: '64 65 94 95 0164 0165 0194 0195',
  },
  CD: { VODACOM: '81 82 83', MPESA: '81 82 83', AIRTEL: '97 98 99', ORANGE: '80 84 85 89' },
  CG: { AIRTEL: '04 05', MTN: '06' },
  CI: { MTN: '05', ORANGE: '07', MOOV: '01' },
  CM: { MTN: '67 68 650 651 652 653 654', ORANGE: '69 655 656 657 658 659 685 686 687 688 689' },
  ET: { MPESA: '7' },
  GA: { AIRTEL: '74 77', MOOV: '62 65 66' },
  GH: { MTN: '24 25 53 54 55 59', TELECEL: '20 50', AIRTELTIGO: '26 27 56 57' },
  KE: {
    MPESA: '11 70 71 72 740 741 742 743 745 746 748 757 758 759 768 769 79',
    AIRTEL: '10 73 750 751 752 753 754 755 756 762 78',
  },
  LS: { MPESA: '5' },
  MW: { AIRTEL: '98 99', TNM: '88' },
  MZ: { VODACOM: '84 85', MPESA: '84 85', MOVITEL: '86 87' },
  RW: { AIRTEL: '72 73', MTN: '78 79' },
  SN: { ORANGE: '77 78', FREE: '76' },
  TZ: { VODACOM: '74 75 76', MPESA: '74 75 76', AIRTEL: '68 69 78', TIGO: '65 67 71', HALOTEL: '61 62' },
  UG: { AIRTEL: '20 70 74 75', MTN: '39 76 77 78' },
  ZM: { AIRTEL: '57 77 97', MTN: '56 76 96', ZAMTEL: '55 75 95' },
}

const names: Readonly<Record<string, string>> = {
  AIRTEL: 'Airtel',
  AIRTELTIGO: 'AT',
  FREE: 'Free',
  HALOTEL: 'Halotel',
  MOOV: 'Moov',
  MOVITEL: 'Movitel',
  MPESA: 'M-Pesa',
  ORANGE: 'Orange',
  TELECEL: 'Telecel',
  TIGO: 'Tigo',
  VODACOM: 'Vodacom',
  WAVE: 'Wave',
  ZAMTEL: 'Zamtel',
}

/** The name that payers know. A payment's page needs no provider's list for it. */
export const networkName = (network: string): string => names[network] ?? network

/** The prefixes separated by spaces, for the page's script; empty if numbers do not identify the network. */
export const prefixesOf = (country: string, network: string): string => plans[country]?.[network] ?? ''

/** Finds the offered network with the longest matching prefix. The number has no calling code. */
export function networkOf(
  country: string,
  nationalNumber: string,
  offered: readonly string[],
): string | undefined {
  const matches = offered.flatMap((network) =>
    prefixesOf(country, network)
      .split(' ')
      .filter((prefix) => prefix !== '' && nationalNumber.startsWith(prefix))
      .map((prefix) => ({ network, length: prefix.length })),
  )
  return matches.toSorted((a, b) => b.length - a.length)[0]?.network
}
