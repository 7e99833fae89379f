/**
 * What two dumps of one page differ in. Deltas are in CSS pixels and signed: the second dump's value less the first
 * one's. Source: the frozen dump format's comparison.
 */
export type Comparison =
  | {
      /** One of them scrolls, so a scrollbar may have taken width: there is nothing to say. */
      readonly verdict: 'discarded'
      readonly overflowed: readonly [boolean, boolean]
    }
  | {
      /** The two were parsed into different trees: no geometry is compared. */
      readonly verdict: 'other-shape'
      readonly divergence: Divergence
    }
  | {
      /** Within the tolerance everywhere, or not. Styles decide nothing here. */
      readonly verdict: 'same' | 'differs'
      /** One for each node, in document order. */
      readonly deltas: ReadonlyArray<NodeDelta>
      /** The wrong boxes, each with the first rule that it breaks. */
      readonly wrong: ReadonlyArray<WrongBox>
      readonly style: StyleComparison
    }

/** Where two trees part: a node of one has another tag, depth or parent, or is not there. */
export type Divergence = {
  readonly index: number
  readonly nodes: readonly [Place | null, Place | null]
}

export type Place = { readonly tag: string; readonly depth: number; readonly parent: number }

export type NodeDelta = {
  readonly w: number
  readonly h: number
  /** Of the origin from the parent's origin; of the root, from the viewport's. */
  readonly x: number
  readonly y: number
  /** Of each fragment's size, pairwise; as many as both have. */
  readonly fragments: ReadonlyArray<{ readonly w: number; readonly h: number }>
  /** How many fragments the second has more: a node has none when it makes no box. */
  readonly fragmentCount: number
  /**
   * Of the origin from the origin of the sibling before, null for a first child. Decides nothing: rounding adds up
   * along siblings, each of which is right.
   */
  readonly fromSibling: { readonly x: number; readonly y: number } | null
}

/** Which rule a box breaks, in the order in which they are looked at. */
export type BoxRule = 'fragments' | 'width' | 'height' | 'fragment-size' | 'offset-x' | 'offset-y'

export type WrongBox = { readonly index: number; readonly rule: BoxRule; readonly delta: number }

export type StyleComparison = {
  /** Every value is the same text. */
  readonly verdict: 'same' | 'differs'
  readonly differences: ReadonlyArray<StyleDifference>
}

export type StyleDifference = {
  readonly index: number
  readonly property: string
  readonly values: readonly [string | null, string | null]
  /** Both are a number of one unit: their difference. Engines print one length in several ways. */
  readonly delta: number | null
  /** They are numbers within the tolerance of each other. */
  readonly agrees: boolean
}
