/** The rule does not concern this installation, or could not be tested. */
export class NotApplicable extends Error {}
