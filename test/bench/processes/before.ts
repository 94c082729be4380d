// Runs the checkout of the third argument under its own name in reports.
import './gengraph.ts';
