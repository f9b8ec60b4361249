// All tests.

import "./parser.js";
import "./deltas.js";
import "./requests.js";
import "./live.js";
import "./queue.js";
import "./tabs.js";
import "./server.js";
import "./offline.js";
import "./page-examples.js";
import "./random.js";
