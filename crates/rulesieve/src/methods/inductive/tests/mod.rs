mod finds;
mod scores;
